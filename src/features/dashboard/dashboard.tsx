import { useAtomValue, useSetAtom } from 'jotai'
import type { ComponentType } from 'react'
import type { MetaRows } from '../../db/rows'
import type { BoardView } from '../../db/view'
import type { WidgetId } from '../../domain/ids'
import type { CardSlot, ListSlot } from '../../state/card-slot'
import { openDialogAtom } from '../../state/open-dialogs'
import { boardAtom, feedFailureAtom, syncStateAtom } from '../../state/live-data'
import { isNotNotifiedAtom } from '../../state/watched-pairs'
import { useServices } from '../../state/services'
import { useOnline } from '../../ui/browser-state'
import { classNames } from '../../ui/class-names'
import { lateComponent } from '../../ui/late-component'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import hidden from '../../ui/visually-hidden.module.css'
import styles from './dashboard.module.css'
import { EmptyBoard, UnreachableState } from './message-state'
import { StatusHeader } from './status-header'
import { WidgetBoard } from './widget-board'
import sectionStyles from './widget-section.module.css'

const LostPairs = lateComponent(async () => (await import('./lost-pairs')).LostPairs)
const UserLines = lateComponent(async () => (await import('./user-lines')).UserLines)
const LayoutSaveStatus = lateComponent(async () => (await import('./layout-save-status')).LayoutSaveStatus)
/** The line's place: it is due from the first paint on, and what follows does not move when it comes. */
const DevicePlace = () => useAtomValue(isNotNotifiedAtom) && <p className={styles.devicePlace} />
const DeviceLine = lateComponent(async () => (await import('./device-line')).DeviceLine, {
  onFailure: 'hide',
  whileLoading: DevicePlace,
})
const ExtremesOffer = lateComponent(async () => (await import('./device-line')).ExtremesOffer)

interface DashboardProps {
  /** Component that draws one pair; src/app passes the widget card. */
  readonly Card: ComponentType<CardSlot>
  /** Draws all active pairs as a list; src/app passes it. */
  readonly List?: ComponentType<ListSlot & { readonly onClose: () => void }>
  /** Must stay the same between renders, or every card renders. */
  readonly onOpenChart: (id: WidgetId) => void
  /** The user has chosen to see cards. */
  readonly onCards?: () => void
  /** Slot between the header and the pairs for operators; empty for others. */
  readonly Operator?: ComponentType
}

const NOT_LOADED = 'Could not load your pairs.'
const NEVER_LOADED =
  'Your pairs have never been loaded on this device. They appear as soon as the server can be reached.'

const Nothing = () => null

/** All pairs at a glance. Reads the local database only, and renders when the board changes, not when prices do. */
export function Dashboard({ Card, List = Nothing, onOpenChart, onCards, Operator = Nothing }: DashboardProps) {
  const services = useServices()

  const board = useAtomValue(boardAtom)
  const sync = useAtomValue(syncStateAtom)
  const failure = useAtomValue(feedFailureAtom)
  const openDialog = useSetAtom(openDialogAtom)
  const phase = boardPhase(board, sync, useOnline())

  if (failure !== null) {
    return <UnreachableState title={NOT_LOADED} text={failure.message} onRetry={failure.retry} />
  }
  switch (phase.kind) {
    case 'empty':
      return (
        <>
          <Operator />
          {board?.account !== 'guest' && <UserLines />}
          <EmptyBoard onAdd={() => openDialog({ kind: 'add-pair' })} />
        </>
      )
    case 'unreachable':
      return (
        <>
          <Operator />
          <UnreachableState
            title={phase.problem === null ? 'Waiting for the first connection' : NOT_LOADED}
            text={phase.problem === null || phase.problem === NOT_LOADED ? NEVER_LOADED : phase.problem}
            onRetry={() => services.engine.requestSync('command')}
          />
        </>
      )
    case 'loading':
    case 'widgets':
      return (
        <>
          <header className={styles.header}>
            <h1 className={classNames(styles.title, hidden.onPhone)}>My Ratio Widgets</h1>
            <span className={styles.saved}>
              <LayoutSaveStatus board={board} />
            </span>
            <StatusHeader />
            <DeviceLine />
          </header>
          <Operator />
          {board?.account === 'guest' ? <LostPairs /> : <UserLines />}
          {phase.kind === 'loading' ? (
            <BoardSkeleton />
          ) : (
            <WidgetBoard board={phase.board} Card={Card} List={List} onOpenChart={onOpenChart} onCards={onCards} />
          )}
          <ExtremesOffer />
        </>
      )
  }
}

type BoardPhase =
  /** Nothing is known yet; skeletons stand in. */
  | { readonly kind: 'loading' }
  /** This device has never had an answer. `problem`: what the server said instead of one; null: it said nothing. */
  | { readonly kind: 'unreachable'; readonly problem: string | null }
  | { readonly kind: 'empty' }
  | { readonly kind: 'widgets'; readonly board: BoardView }

/** Phase of the dashboard, from the local database and the engine's state. */
function boardPhase(
  board: BoardView | undefined,
  sync: MetaRows['sync_state'] | undefined,
  online: boolean,
): BoardPhase {
  if (board !== undefined && board.widgets.length > 0) return { kind: 'widgets', board }
  if (board?.loaded === true) return { kind: 'empty' }
  const problem = sync?.problems.widgets ?? null
  // A guest's id is made in this browser, and so were all pairs of it: one that was never loaded has none.
  if (board?.account === 'guest' && problem === null) return { kind: 'empty' }
  const silent = !online || (sync?.unreachable_since ?? null) !== null
  return problem !== null || silent ? { kind: 'unreachable', problem } : { kind: 'loading' }
}

/** A section of cards of the size of those to come. */
const BoardSkeleton = () => (
  <div aria-busy="true" className={sectionStyles.section}>
    <VisuallyHidden role="status">Loading your pairs</VisuallyHidden>
    <div className={sectionStyles.title} aria-hidden="true">
      <Skeleton width="8rem" height="1.25rem" />
    </div>
    <div className={sectionStyles.grid} aria-hidden="true">
      {[0, 1, 2].map((index) => (
        <div key={index} className={styles.card}>
          <Skeleton width="40%" height="1.25rem" />
          <Skeleton width="55%" height="3rem" />
          <Skeleton width="70%" height="2rem" />
          <Skeleton height="4rem" />
        </div>
      ))}
    </div>
  </div>
)
