import { liveQuery } from 'dexie'
import { atom } from 'jotai'
import { navigate } from 'wouter/use-browser-location'
import type { CommandContext } from '../../db/command'
import { claimToasts, markAlertsSeen } from '../../db/commands/alerts'
import type { LocalDatabase } from '../../db/database'
import { readUntoasted } from '../../db/queries/alerts'
import type { AlertRow } from '../../db/rows'
import { alertSentence } from '../../domain/alert-notification'
import type { OwnerId } from '../../domain/ids'
import { arePricesOurs } from '../../db/price-origin'
import { storeMeta } from '../../db/write-transaction'
import { boardAtom, pairKey, summariesAtom } from '../../state/live-data'
import { loadOnce } from '../../state/load-once'
import { configAtom } from '../../state/server-settings'
import type { Store } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { wayWords } from '../../domain/way-alerts'
import { badgeCount, showBadge } from '../../sync/push/badge'
import { ALERTS } from '../addresses'
import { showChart } from '../show-chart'

/** The open app's work on alerts, on all screens. */
export function startAlerts(store: Store, commands: ToasterPorts['commands']): void {
  checkOtherPrices(store, commands)
  startToaster({
    store,
    commands,
    openChart: (alert) => showChart(alert.widget_id),
    openAlerts: () => navigate(ALERTS),
  })
  keepBadge(commands.db)
  keepExtremes(store, commands.db)
}

/**
 * Our server has judged its own prices: the page's own check is loaded only where the settings name another service. Returns
 * the function that ends the check.
 */
export function checkOtherPrices(store: Store, commands: ToasterPorts['commands']): () => void {
  let end = (): void => undefined
  const begin = loadOnce(async () => {
    const { checkForeignPrices } = await import('./check-foreign-prices')
    end = checkForeignPrices(commands, location.origin)
  })
  const look = () => {
    const config = store.get(configAtom)
    if (config !== undefined && !arePricesOurs(config, location.origin)) begin().catch(reportError)
  }
  const unfollow = store.sub(configAtom, look)
  look()
  return () => {
    unfollow()
    end()
  }
}

/**
 * Keeps the badge of an installed app's icon up to date as long as the page lives: the service worker may bring a crossing,
 * and the user may see one in another window. A visible page clears the badge. Returns the function that ends it.
 */
export function keepBadge(db: LocalDatabase): () => void {
  const show = () => {
    const isSeen = document.visibilityState === 'visible'
    showBadge(db, navigator, isSeen).catch((error: unknown) => reportError(error))
  }
  const query = liveQuery(() => badgeCount(db)).subscribe({ next: show, error: (error) => reportError(error) })
  document.addEventListener('visibilitychange', show)
  return () => {
    query.unsubscribe()
    document.removeEventListener('visibilitychange', show)
  }
}

/** Keeps for the badge how many of the pairs stand at an extreme; unchanged while one of them is not summarised yet. */
export function keepExtremes(store: Store, db: LocalDatabase): void {
  const countAtom = atom((get) => {
    const board = get(boardAtom)
    if (board === undefined) return null
    let count = 0
    for (const { coinA, coinB, isActive } of board.widgets) {
      if (!isActive) continue
      const summary = get(summariesAtom).get(pairKey({ coinA: coinA.id, coinB: coinB.id }))
      if (summary === undefined) return null
      if (summary.standing?.extreme != null) count += 1
    }
    return `${count} ${board.owner}`
  })
  const keep = () => {
    const known = store.get(countAtom)
    if (known === null) return
    const [count, owner] = known.split(' ')
    storeMeta(db, 'extremes', { owner: owner as OwnerId, count: Number(count) }).catch((error: unknown) =>
      reportError(error),
    )
  }
  store.sub(countAtom, keep)
  keep()
}

interface ToasterPorts {
  readonly store: Store
  readonly commands: Pick<CommandContext, 'db' | 'now'>
  readonly openChart: (alert: AlertRow) => void
  readonly openAlerts: () => void
}

/**
 * Shows every alert once as a toast in a visible page, whichever context announced it first. A hidden page leaves the toast
 * to a visible one, or waits until the user looks. Returns the function that ends the toasts.
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
  // The list names an alert of a way with the link to the ways.
  const isListed = together || wayWords(first) !== undefined
  // A toast goes by itself, seen or not: an alert counts as seen only once the user follows the toast.
  const follow = () => {
    if (isListed) return openAlerts()
    openChart(first)
    markAlertsSeen(commands, [first.event_id]).catch((error: unknown) => reportError(error))
  }
  store.set(showToastAtom, {
    kind: 'alert',
    message: together ? togetherSentence(claimed) : alertSentence(first),
    action: { label: isListed ? 'Open alerts' : 'Open chart', run: follow },
  })
}

/** Pairs named when many alerts fire at once; the Alerts page lists all. */
const MAX_NAMED_PAIRS = 3

/** "4 alerts fired: BTC / ETH, SOL / ETH, ADA / ETH and 1 more." */
function togetherSentence(alerts: readonly AlertRow[]): string {
  const named = alerts.slice(0, MAX_NAMED_PAIRS).map((alert) => wayWords(alert) ?? alert.pair)
  const more = alerts.length > MAX_NAMED_PAIRS ? ` and ${alerts.length - MAX_NAMED_PAIRS} more` : ''
  return `${alerts.length} alerts fired: ${named.join(', ')}${more}.`
}
