import type { CommandContext } from '../../db/command'
import { claimAlert } from '../../db/commands/alerts'
import { readBoard, snapshotTables } from '../../db/board-rows'
import { hasFeature, type LocalDatabase, readMeta } from '../../db/database'
import { isListOutdated } from '../../db/held-revisions'
import { readAlertsOf } from '../../db/own-alerts'
import { readOwnerSyncState } from '../../db/owner-sync-state'
import { arePricesOurs } from '../../db/price-origin'
import { readPushRegistration } from '../../db/push-registration'
import type { AlertRow, PricesRow } from '../../db/rows'
import { isStreamLive } from '../../db/stream-state'
import type { RuleView, WidgetView } from '../../db/view'
import { alertNotification } from '../../domain/alert-notification'
import { alertEventId, isFreshForAlerts, judge } from '../../domain/alerts'
import type { OwnerId } from '../../domain/ids'
import { heldUntil } from '../../domain/quiet-hours'
import { POLL_INTERVAL } from '../../domain/live-prices'
import { pairTitle, ratioOf } from '../../domain/pair'
import { isEqual } from '../../state/keep-identity'
import { isWatched } from '../../state/watched-pairs'
import { whileVisible } from '../while-visible'

/** Milliseconds between two checks of a visible page. */
const CHECK_INTERVAL = 2_000
/** Milliseconds after which a list is not fresh any more, where no stream tells of changes: two polls, and some delay. */
const LIST_FRESHNESS = 2.5 * POLL_INTERVAL

/** Facts that are judged together, and so read together: of two moments, they make crossings that there never were. */
interface Facts {
  readonly owner: OwnerId
  readonly widgets: readonly WidgetView[]
  readonly prices: PricesRow
}

/** Null where the page has nothing to judge, or does not know whether its list is still the server's. */
function readFacts(db: LocalDatabase, origin: string, now: number): Promise<Facts | null> {
  return db.transaction('r', [...snapshotTables(db), db.prices], async () => {
    const [board, prices, config] = await Promise.all([readBoard(db), db.prices.get('usd'), readMeta(db, 'config')])
    if (board === undefined || prices === undefined) return null
    if (config === undefined || arePricesOurs(config.config, origin)) return null
    const { owner, widgets } = board
    const [syncState, stream] = [await readOwnerSyncState(db, owner), await readMeta(db, 'stream')]
    const { pulled_at, needs_pull } = syncState
    const isConfirmed =
      isStreamLive(stream, owner, now) || (pulled_at !== null && Math.abs(now - pulled_at) < LIST_FRESHNESS)
    return isConfirmed && !needs_pull && !isListOutdated(syncState) ? { owner, widgets, prices } : null
  })
}

/** A widget's alerts as the server has them, and when this page learned of them (milliseconds). */
interface Learned {
  readonly rules: readonly RuleView[]
  readonly at: number
  /** Of rules whose ratio is beyond the level and has to stay there: until when, milliseconds. */
  readonly due: Map<RuleView['id'], number | null>
}

/**
 * Prices of another service than our server (CLIENT_MARKET_DATA_URL) are judged by nobody before they come: a visible page
 * looks at them every two seconds and announces what it sees first. Only the server re-arms, so an epoch is announced once;
 * its own crossing of the same name is the same one for ten minutes. Returns the function that ends the checks.
 */
export function checkForeignPrices({ db, now }: Pick<CommandContext, 'db' | 'now'>, origin: string): () => void {
  let learned: ReadonlyMap<string, Learned> = new Map()
  let running = false
  const check = async (): Promise<void> => {
    const at = now()
    const facts = await readFacts(db, origin, at)
    if (facts === null) return
    // A change that the server has not answered begins an epoch whose number it alone knows.
    const watched = facts.widgets.filter((widget) => isWatched(widget) && widget.waiting === 0)
    learned = new Map(
      watched.map(({ key, rules }) => {
        const before = learned.get(key)
        return [key, before !== undefined && isEqual(before.rules, rules) ? before : { rules, at, due: new Map() }]
      }),
    )
    // Prices of before may be those that the server has judged already when it re-armed the side.
    const isNew = ({ key }: WidgetView) => facts.prices.polled_at > learned.get(key)!.at
    await Promise.all(
      watched
        .filter(isNew)
        .flatMap((widget) => crossingsOf(widget, learned.get(widget.key)!.due, facts, at))
        .map((row) => announce(db, row)),
    )
  }
  const look = (): void => {
    if (running) return
    running = true
    check()
      .catch(reportError)
      .finally(() => (running = false))
  }
  return whileVisible(() => {
    const clock = setInterval(look, CHECK_INTERVAL)
    return () => clearInterval(clock)
  })
}

/** The rules that fire now. @param due of the widget's rules; kept up to date */
function crossingsOf(widget: WidgetView, due: Learned['due'], { owner, prices }: Facts, at: number): AlertRow[] {
  const { id, coinA, coinB, rules } = widget
  const [a, b] = [prices.prices[coinA.id], prices.prices[coinB.id]]
  if (a === undefined || b === undefined) return []
  if (![a, b].every((price) => isFreshForAlerts(price.provider_time, at))) return []
  const ratio = ratioOf(a.usd, b.usd)
  const fires = (rule: RuleView): boolean => {
    const { verdict, state } = judge(rule, ratio, { armed: rule.armed, dueAt: due.get(rule.id) ?? null }, at)
    due.set(rule.id, state.dueAt)
    return verdict === 'fired'
  }
  return rules.filter(fires).map((rule) => ({
    event_id: alertEventId(rule.id, rule.epoch),
    owner,
    widget_id: id,
    coin_a_id: coinA.id,
    coin_b_id: coinB.id,
    pair: pairTitle(widget),
    side: rule.side,
    ratio: ratio!,
    threshold: rule.level,
    at,
    by: 'app',
    toasted: false,
    seen_at: null,
    rearm_later: false,
    ...(widget.snooze && widget.snooze.until > at && { held_until: null, not_sent: 'snoozed' }),
  }))
}

/** Notifies of a crossing, unless another tab, a push or a pull has claimed it. The toast is shown by the visible page. */
async function announce(db: LocalDatabase, row: AlertRow): Promise<void> {
  const held = row.held_until === null ? null : heldUntil(await readAlertsOf(db, row.owner), row.at)
  const claimed: AlertRow = held === undefined ? row : { ...row, held_until: held, quiet: true, toasted: true }
  if ((await db.alerts.get(row.event_id)) !== undefined || !(await claimAlert(db, claimed)) || held !== undefined)
    return
  if (!('serviceWorker' in navigator) || !('Notification' in window)) return
  if (Notification.permission !== 'granted' || (await readPushRegistration(db)).off) return
  const registration = await navigator.serviceWorker.getRegistration()
  const { title, options } = alertNotification(row, row.at, false, await hasFeature(db, 'snooze'))
  await registration?.showNotification(title, options)
}
