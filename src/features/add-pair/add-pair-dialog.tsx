import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { ArrowDownUp } from 'lucide-react'
import { useEffect, useId, useState, type FormEvent } from 'react'
import type { Coin } from '../../contract/market'
import { addWidget } from '../../db/commands/add-widget'
import { readCoins } from '../../db/queries/coins'
import type { WidgetId } from '../../domain/ids'
import { cardFocusAtom } from '../../state/card-focus'
import { syncStateAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { useOnline } from '../../ui/use-online'
import styles from './add-pair-dialog.module.css'
import { addPairProblem } from './add-pair-problem'
import { CoinCombobox } from './coin-combobox'
import { coinListState } from './coin-search'

interface AddPairDialogProps {
  readonly onClose: () => void
  /** The pair is in the local database; its card takes the focus as soon as it is on the screen. */
  readonly onAdded?: (widget: WidgetId) => void
}

const NO_COINS: readonly Coin[] = []

/** "Create New Pair": two coins from the cached list, so that it works without a network too. */
export function AddPairDialog({ onClose, onAdded }: AddPairDialogProps) {
  const { commands, engine } = useServices()
  const setCardFocus = useSetAtom(cardFocusAtom)
  const formId = useId()
  const known = useLiveQuery(() => readCoins(commands.db), [commands.db])
  const coins = known?.coins ?? NO_COINS
  const list = coinListState(known, useAtomValue(syncStateAtom), useOnline())
  const [base, setBase] = useState<Coin | null>(null)
  const [quote, setQuote] = useState<Coin | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)

  // A list that is missing or a day old is fetched now rather than at the next round.
  useEffect(() => engine.requestSync('coins'), [engine])

  const choose = (set: (coin: Coin | null) => void) => (coin: Coin | null) => {
    set(coin)
    setProblem(null)
  }

  const add = async (): Promise<string | null> => {
    if (base === null || quote === null) return 'Please select both cryptocurrencies.'
    try {
      const result = await addWidget(commands, { coinA: base.id, coinB: quote.id })
      if (!result.ok) return result.message
      engine.requestSync('command')
      onClose()
      onAdded?.(result.value)
      setCardFocus(result.value)
      return null
    } catch (error) {
      reportError(error)
      return addPairProblem(error)
    }
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setAdding(true)
    setProblem(await add())
    setAdding(false)
  }

  return (
    <Dialog
      title="Create New Pair"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} disabled={adding}>
            Add Pair
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's first field gets focus, as the pattern asks */}
        <CoinCombobox label="Base coin" coins={coins} list={list} value={base} onChange={choose(setBase)} autoFocus />
        <IconButton
          label="Swap base and quote"
          className={styles.swap}
          disabled={base === null && quote === null}
          onClick={() => {
            setBase(quote)
            setQuote(base)
            setProblem(null)
          }}
        >
          <ArrowDownUp aria-hidden="true" />
        </IconButton>
        <CoinCombobox label="Quote coin" coins={coins} list={list} value={quote} onChange={choose(setQuote)} />
        <p className={styles.hint}>
          {base !== null && quote !== null
            ? `Shows what 1 ${base.symbol.toUpperCase()} is worth in ${quote.symbol.toUpperCase()}.`
            : 'The ratio is the price of the base coin divided by the price of the quote coin.'}
        </p>
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      </form>
    </Dialog>
  )
}
