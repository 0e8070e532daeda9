import { liveQuery } from 'dexie'
import { navigate } from 'wouter/use-browser-location'
import type { CommandContext } from '../../db/command'
import type { LocalDatabase } from '../../db/database'
import { countUnseenAlerts, readUntoasted } from '../../db/queries/alerts'
import type { Store } from '../../state/services'
import { showBadge } from '../../sync/push/device'
import { ALERTS } from '../addresses'
import { showChart } from '../show-chart'
import { watchAlerts } from './watch'
import { claimToasts, markAlertsSeen } from '../../db/commands/alerts'
import type { AlertRow } from '../../db/rows'
import { alertSentence } from '../../domain/alert-notification'
import { showToastAtom } from '../../state/toasts'

/** Keeps the badge of an installed app's icon right in a page: whoever looks at the app is told there. */
function badgeHere(db: LocalDatabase): Promise<void> {
  return showBadge(db, navigator, document.visibilityState === 'visible')
}

/** As long as the page lives: a crossing may be brought home by the service worker, or be seen in another window. */
export function keepBadge(db: LocalDatabase): void {
  const show = () => void badgeHere(db).catch((error: unknown) => reportError(error))
  liveQuery(() => countUnseenAlerts(db)).subscribe({ next: show, error: (error) => reportError(error) })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') show()
  })
}

/** The open app's work on alerts, on all screens. */
export function startAlerts(store: Store, commands: Pick<CommandContext, 'db' | 'now'>): void {
  watchAlerts(store, commands)
  startToaster({
    store,
    commands,
    openChart: (alert) => showChart(alert.widget_id),
    openAlerts: () => navigate(ALERTS),
  })
  keepBadge(commands.db)
}

interface ToasterPorts {
  readonly store: Store
  readonly commands: Pick<CommandContext, 'db' | 'now'>
  readonly openChart: (alert: AlertRow) => void
  readonly openAlerts: () => void
}

/**
 * Shows every alert once as a toast, in a page that somebody looks at, whoever was first to tell of it; a hidden page
 * leaves that to the visible one, or to the moment when it is looked at. Returns the function that ends it.
 */
export function startToaster(ports: ToasterPorts): () => void {
  const { db } = ports.commands
  let waiting: readonly AlertRow[] = []
  const show = () => {
    const [first] = waiting
    if (first === undefined || document.visibilityState !== 'visible') return
    waiting = []
    toast(ports, first.owner).catch((error: unknown) => reportError(error))
  }
  const query = liveQuery(() => readUntoasted(db)).subscribe({
    next(rows) {
      waiting = rows
      show()
    },
    error: (error) => reportError(error),
  })
  document.addEventListener('visibilitychange', show)
  return () => {
    query.unsubscribe()
    document.removeEventListener('visibilitychange', show)
  }
}

async function toast(ports: ToasterPorts, owner: AlertRow['owner']): Promise<void> {
  const { store, commands, openChart, openAlerts } = ports
  const claimed = await claimToasts(commands.db, owner, commands.now())
  const [first] = claimed
  if (first === undefined) return
  const together = claimed.length > 1
  // A toast goes by itself, whether or not somebody sat before it: only who follows it has seen what it tells of.
  const follow = () => {
    if (together) return openAlerts()
    openChart(first)
    markAlertsSeen(commands, [first.event_id]).catch((error: unknown) => reportError(error))
  }
  store.set(showToastAtom, {
    kind: 'alert',
    message: together ? togetherSentence(claimed) : alertSentence(first),
    action: { label: together ? 'Open alerts' : 'Open chart', run: follow },
  })
}

/** Pairs that are named of many that fire at once; the page of alerts has them all. */
const NAMED = 3

/** "4 alerts fired: BTC / ETH, SOL / ETH, ADA / ETH and 1 more." */
function togetherSentence(alerts: readonly AlertRow[]): string {
  const named = alerts.slice(0, NAMED).map((alert) => alert.pair)
  const more = alerts.length > NAMED ? ` and ${alerts.length - NAMED} more` : ''
  return `${alerts.length} alerts fired: ${named.join(', ')}${more}.`
}
