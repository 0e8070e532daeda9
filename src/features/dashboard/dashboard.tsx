import { useAtomValue, useSetAtom } from 'jotai'
import type { ComponentType } from 'react'
import type { WidgetId } from '../../domain/ids'
import type { CardSlot, ListSlot } from '../../state/card-slot'
import { syncStateAtom } from '../../state/live-data'
import { addPairOpenAtom } from '../../state/panels'
import { useServices } from '../../state/services'
import { shownBoardAtom } from '../../state/wishes'
import { lastingPart } from '../../ui/lasting-part'
import { useOnline } from '../../ui/use-online'
import { boardPhase } from './board-phase'
import { BoardSkeleton } from './board-skeleton'
import styles from './dashboard.module.css'
import { EmptyState } from './empty-state'
import { feedFailureAtom } from './feeds'
import { LayoutSaveStatus } from './layout-save-status'
import { StatusHeader } from './status-header'
import { UnreachableState } from './unreachable-state'
import { useFeeds } from './use-feeds'
import { WidgetBoard } from './widget-board'

const LostPairs = lastingPart(async () => (await import('./lost-pairs')).LostPairs)
const GuestPairs = lastingPart(async () => (await import('./guest-pairs')).GuestPairs)
const DeviceLine = lastingPart(async () => (await import('./device-line')).DeviceLine)

interface DashboardProps {
  /** What draws one pair; src/app passes the widget card. */
  readonly Card: ComponentType<CardSlot>
  /** Draws all active pairs as a list; src/app passes it. */
  readonly List?: ComponentType<ListSlot & { readonly onMissing: () => void }>
  /** Must stay the same between renders, or every card renders. */
  readonly onOpenChart: (id: WidgetId) => void
  /** The user has chosen to see cards. */
  readonly onCards?: () => void
  /** What stands between the header and the pairs for whoever runs the server; shows nothing to others. */
  readonly Operator?: ComponentType
}

const NOT_LOADED = 'Could not load your pairs.'
const NEVER_LOADED =
  'Your pairs have never been loaded on this device. They appear as soon as the server can be reached.'

const Nothing = () => null

/** All pairs at a glance. Reads the local database only, and renders when the board changes, not when prices do. */
export function Dashboard({ Card, List = Nothing, onOpenChart, onCards, Operator = Nothing }: DashboardProps) {
  const services = useServices()
  const retry = useFeeds()

  const board = useAtomValue(shownBoardAtom)
  const sync = useAtomValue(syncStateAtom)
  const failure = useAtomValue(feedFailureAtom)
  const openAddPair = useSetAtom(addPairOpenAtom)
  const phase = boardPhase(board, sync, useOnline())

  if (failure !== null) {
    return <UnreachableState title={NOT_LOADED} text={failure.message} onRetry={retry} />
  }
  switch (phase.kind) {
    case 'empty':
      return (
        <>
          <Operator />
          {board?.account !== 'guest' && <GuestPairs />}
          <EmptyState onAdd={() => openAddPair(true)} />
        </>
      )
    case 'unreachable':
      return (
        <>
          <Operator />
          <UnreachableState
            title={phase.problem === null ? 'Waiting for the first connection' : NOT_LOADED}
            text={phase.problem === null || phase.problem === NOT_LOADED ? NEVER_LOADED : phase.problem}
            onRetry={() => services.engine.requestSync('retry')}
          />
        </>
      )
    case 'loading':
    case 'widgets':
      return (
        <>
          <header className={styles.header}>
            <h1 className={styles.title}>My Ratio Widgets</h1>
            <LayoutSaveStatus board={board} />
            <StatusHeader />
            <DeviceLine />
          </header>
          <Operator />
          {board?.account === 'guest' ? <LostPairs /> : <GuestPairs />}
          {phase.kind === 'loading' ? (
            <BoardSkeleton />
          ) : (
            <WidgetBoard board={phase.board} Card={Card} List={List} onOpenChart={onOpenChart} onCards={onCards} />
          )}
        </>
      )
  }
}
