import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { ArrowDownUp } from 'lucide-react'
import { type ComponentProps, type FormEvent, useEffect, useId, useState } from 'react'
import type { Coin } from '../../contract/market'
import { addWidget } from '../../db/commands/widgets'
import { readCoins } from '../../db/database'
import type { WidgetId } from '../../domain/ids'
import { cardFocusAtom } from '../../state/card-slot'
import { syncStateAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { useOnline } from '../../ui/browser-state'
import { Button, IconButton } from '../../ui/button'
import { CoinIcon } from '../../ui/coin-icon'
import { Combobox } from '../../ui/combobox'
import { Dialog } from '../../ui/dialog'
import { type CoinListState, coinListState, noCoinsText } from '../../domain/coin-list-state'
import stack from '../../ui/stack.module.css'
import text from '../../ui/text.module.css'
import styles from './add-pair-dialog.module.css'

interface AddPairDialogProps {
  readonly onClose: () => void
  /** The pair is in the local database; its card takes the focus as soon as it is on the screen. */
  readonly onAdded?: (widget: WidgetId) => void
}

const NO_COINS: readonly Coin[] = []

/** "Create New Pair": two coins from the cached list, so that it works without a network too. */
export function AddPairDialog({ onClose, onAdded }: AddPairDialogProps) {
  const { engine } = useServices()
  const formId = useId()
  const [coins, setCoins] = useState<ChosenCoins>({ base: null, quote: null })
  const [problem, setProblem] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const add = useAdd(onClose, onAdded)

  // A list that is missing or a day old is fetched now rather than at the next round.
  useEffect(() => engine.requestSync('command'), [engine])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setAdding(true)
    setProblem(await add(coins))
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
      <form id={formId} className={stack.gap2} onSubmit={(event) => void submit(event)} noValidate>
        <CoinFields
          coins={coins}
          onChange={(next) => {
            setCoins(next)
            setProblem(null)
          }}
        />
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      </form>
    </Dialog>
  )
}

interface ChosenCoins {
  readonly base: Coin | null
  readonly quote: Coin | null
}

/** Adds a pair, and resolves to the sentence that says why it could not be added, or null. */
function useAdd(onClose: () => void, onAdded: AddPairDialogProps['onAdded']) {
  const { commands, engine } = useServices()
  const setCardFocus = useSetAtom(cardFocusAtom)
  return async ({ base, quote }: ChosenCoins): Promise<string | null> => {
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
}

interface CoinFieldsProps {
  readonly coins: ChosenCoins
  readonly onChange: (coins: ChosenCoins) => void
}

function CoinFields({ coins: { base, quote }, onChange }: CoinFieldsProps) {
  const { db } = useServices().commands
  const known = useLiveQuery(() => readCoins(db), [db])
  const list = coinListState(known !== undefined, useAtomValue(syncStateAtom), useOnline())
  const common = { items: known?.coins ?? NO_COINS, list }
  return (
    <>
      <CoinCombobox
        {...common}
        label="Base coin"
        value={base}
        onChange={(coin) => onChange({ base: coin, quote })}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's first field gets focus, as the pattern asks
        autoFocus
      />
      <IconButton
        label="Swap base and quote"
        icon={ArrowDownUp}
        className={styles.swap}
        disabled={base === null && quote === null}
        onClick={() => onChange({ base: quote, quote: base })}
      />
      <CoinCombobox {...common} label="Quote coin" value={quote} onChange={(coin) => onChange({ base, quote: coin })} />
      <p className={styles.hint}>
        {base !== null && quote !== null
          ? `Shows what 1 ${base.symbol.toUpperCase()} is worth in ${quote.symbol.toUpperCase()}.`
          : 'The ratio is the price of the base coin divided by the price of the quote coin.'}
      </p>
    </>
  )
}

/** Names of Dexie's errors when the local database cannot be opened. */
const UNREACHABLE = new Set(['DatabaseClosedError', 'OpenFailedError', 'MissingAPIError', 'VersionError'])

/** Sentence for a pair that could not be stored on this device, with the cause if it is known. */
function addPairProblem(error: unknown): string {
  if (error instanceof Error) {
    if (UNREACHABLE.has(error.name)) return 'Cannot add pair right now. Please try again from the dashboard.'
    if (error.message !== '') return error.message
  }
  return 'Failed to add pair. It might already exist.'
}

type ComboboxProps = ComponentProps<typeof Combobox<Coin>>

interface CoinComboboxProps extends Pick<ComboboxProps, 'label' | 'items' | 'value' | 'onChange' | 'autoFocus'> {
  readonly list: CoinListState
}

const symbolOf = (coin: Coin): string => coin.symbol.toUpperCase()

const CoinCombobox = ({ list, ...props }: CoinComboboxProps) => (
  <Combobox
    {...props}
    itemKey={(coin) => coin.id}
    itemLabel={(coin) => `${coin.name} (${symbolOf(coin)})`}
    matches={coinMatches}
    renderItem={(coin) => (
      <span className={styles.coin}>
        <CoinIcon image={coin.image} />
        <span className={text.ellipsis}>{coin.name}</span>
        <span className={styles.symbol}>{symbolOf(coin)}</span>
      </span>
    )}
    renderLead={(coin) => <CoinIcon image={coin.image} />}
    emptyText={(term) => noCoinsText(list, props.items.length, term)}
    placeholder="Search by name or symbol"
  />
)

/** Whether a coin's name or symbol contains the term; case does not matter. */
function coinMatches(coin: Coin, term: string): boolean {
  const wanted = term.trim().toLowerCase()
  return coin.name.toLowerCase().includes(wanted) || coin.symbol.toLowerCase().includes(wanted)
}
