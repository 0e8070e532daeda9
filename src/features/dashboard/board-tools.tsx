import { useAtom, useSetAtom, useStore } from 'jotai'
import { ArrowDownWideNarrow, Keyboard, Search, Volume2 } from 'lucide-react'
import { useState } from 'react'
import type { PairOrder } from '../../domain/pair-order'
import { askToAddPairAtom } from '../../state/account'
import { reportMissingChunkAtom } from '../../state/toasts'
import { listToolsOpenAtom, useDashboardChoice } from '../../state/use-dashboard-choice'
import { DESK, useMediaQuery } from '../../ui/browser-state'
import { IconButton } from '../../ui/button'
import { lateDialog } from '../../ui/late-component'
import { OrderOptions } from '../../ui/order-options'
import { Segmented } from '../../ui/segmented'
import { useShortcuts } from '../../ui/use-shortcuts'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './board-tools.module.css'

const KeysDialog = lateDialog(async () => (await import('./keys-dialog')).KeysDialog)

const VIEWS = [
  { value: 'cards', label: 'Cards' },
  { value: 'list', label: 'List' },
] as const

interface BoardToolsProps {
  /** The user has chosen the cards; the address may still be that of a chart beside the list. */
  readonly onCards: (() => void) | undefined
}

/** How the pairs are shown, and at a desk the keys that act on them. */
export function BoardTools({ onCards }: BoardToolsProps) {
  const [{ view, order, keys }, choose] = useDashboardChoice()
  const [explaining, setExplaining] = useState(false)
  const askToAddPair = useSetAtom(askToAddPairAtom)
  const atDesk = useMediaQuery(DESK)
  useShortcuts(
    {
      n: askToAddPair,
      '?': () => setExplaining(true),
      ...(view === 'cards' && { j: () => focusCard(1), k: () => focusCard(-1) }),
    },
    atDesk && keys,
  )
  return (
    <>
      {atDesk && (
        <IconButton
          size="sm"
          label="Keyboard shortcuts"
          icon={Keyboard}
          aria-haspopup="dialog"
          aria-keyshortcuts={keys ? '?' : undefined}
          onClick={() => setExplaining(true)}
        />
      )}
      {/* The list has this choice in its own toolbar. */}
      {view === 'list' ? (
        <ListToolsButton order={order} />
      ) : (
        <label className={styles.order} data-computed={order !== 'hand'}>
          <ArrowDownWideNarrow aria-hidden="true" />
          <select
            aria-label="Order"
            title="Order of the cards"
            value={order}
            onChange={(event) => choose({ order: event.currentTarget.value as PairOrder })}
          >
            <OrderOptions />
          </select>
        </label>
      )}
      <ReadPrices hasKeys={atDesk && keys} />
      <Segmented
        label="View"
        options={VIEWS}
        value={view}
        onChange={(next) => {
          choose({ view: next })
          if (next === 'cards') onCards?.()
        }}
      />
      {explaining && <KeysDialog onClose={() => setExplaining(false)} />}
    </>
  )
}

/** Unfolds the list's toolbar; seen on a phone alone. */
function ListToolsButton({ order }: { readonly order: PairOrder }) {
  const [isOpen, setOpen] = useAtom(listToolsOpenAtom)
  return (
    <IconButton
      size="sm"
      label="Search and order"
      icon={Search}
      className={styles.listTools}
      data-computed={order !== 'hand'}
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
    />
  )
}

/** Moves the focus to the title of the next card, or of the one before; from elsewhere to the first. */
function focusCard(step: 1 | -1): void {
  const cards = [...document.querySelectorAll('article')].filter((card) => card.querySelector('h3 a') !== null)
  const at = cards.findIndex((card) => card.contains(document.activeElement))
  const card = cards[at === -1 ? 0 : Math.min(cards.length - 1, Math.max(0, at + step))]
  card?.querySelector<HTMLElement>('h3 a')?.focus({ preventScroll: true })
  card?.scrollIntoView({ block: 'nearest' })
}

/**
 * Figures that change every second are no live regions: a screen reader would never be silent. This button, and its key,
 * have it read them once.
 * @param hasKeys single keys act as shortcuts
 */
function ReadPrices({ hasKeys }: { readonly hasKeys: boolean }) {
  const store = useStore()
  const [said, setSaid] = useState({ words: '', times: 0 })
  const reportMissingChunk = useSetAtom(reportMissingChunkAtom)
  const read = () => {
    import('./prices-in-words').then(
      ({ pricesInWords }) => setSaid(({ times }) => ({ words: pricesInWords(store), times: times + 1 })),
      () => reportMissingChunk(() => undefined),
    )
  }
  useShortcuts({ r: read }, hasKeys)
  return (
    <>
      <IconButton
        size="sm"
        label="Read prices"
        icon={Volume2}
        aria-keyshortcuts={hasKeys ? 'r' : undefined}
        onClick={read}
      />
      <VisuallyHidden role="status">
        {/* Another element each time, so that the same words are read again. */}
        {said.times > 0 && <span key={said.times}>{said.words}</span>}
      </VisuallyHidden>
    </>
  )
}
