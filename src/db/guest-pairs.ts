import { isAnonymousOwner, type OpId, type OwnerId } from '../domain/ids'
import { isSamePair, type OptimisticWidget } from './board'
import type { LocalDatabase } from './database'
import { overlay, pairName, readEntries, readKnownIds, type Snapshot, withSnapshot } from './snapshot'
import { readWidgets } from './answers/widget-rows'
import type { Limits } from '../domain/tier-limits'
import { readOwnerSyncState } from './answers/owner-sync-state'

/** Names a guest's pair for good: the key of its create stays when the server gives the pair its id. */
export const guestPairId = ({ created_by_op, id }: Pick<OptimisticWidget, 'created_by_op' | 'id'>): string =>
  created_by_op ?? id

/**
 * The Idempotency-Key under which a user gets what a guest has made: always the same for the same two, so that it is
 * made once, however often it is asked for. The exclusive or of two UUIDs, as a UUID of version 8 (RFC 9562).
 * @param made UUID of the guest's pair or checkpoint
 */
export function keyFor(made: string, user: OwnerId): OpId {
  const [a, b] = [made, user].map((one) => Array.from(one.replaceAll('-', ''), (digit) => Number.parseInt(digit, 16)))
  const digits = a!.map((digit, place) => (digit ^ b![place]!).toString(16)).join('')
  const part = (from: number, to: number) => digits.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-8${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}` as OpId
}

/**
 * The key that comes after `key`, whose thing the user has removed: the server keeps that key and makes nothing for it
 * any more. The last four digits count on.
 */
export const keyAfter = (key: OpId): OpId => {
  const next = (Number.parseInt(key.slice(-4), 16) + 1) % 0x1_00_00
  return `${key.slice(0, -4)}${next.toString(16).padStart(4, '0')}` as OpId
}

/** Whether something was made with `key`, or with one that comes after it. */
export const isMadeWith = ({ created_by_op }: { readonly created_by_op: OpId | null }, key: OpId): boolean =>
  created_by_op?.slice(0, -4) === key.slice(0, -4)

/** Fingerprint of the user's decisions about a pair; the server's own changes, such as an alert that fired, are not in it. */
export const printOf = ({
  high_threshold,
  low_threshold,
  notifications_enabled,
  checkpoints,
}: OptimisticWidget): string =>
  JSON.stringify([
    high_threshold,
    low_threshold,
    notifications_enabled,
    checkpoints.map(({ ratio, timestamp }) => [ratio, Date.parse(timestamp)]),
  ])

export type OwnersBoard = Pick<Snapshot, 'owner' | 'rows' | 'entries' | 'ids' | 'shown'>

/** The board of this browser's guest while a user uses it: as the guest has left it, unsent changes included. */
export async function readGuestBoard(db: LocalDatabase, guest: OwnerId): Promise<OwnersBoard> {
  const [widgetsOf, entries, ids] = await Promise.all([readWidgets(db), readEntries(db, guest), readKnownIds(db)])
  const rows = widgetsOf(guest)
  return { owner: guest, rows, entries, ids, shown: overlay(rows, entries, ids, Infinity) }
}

export interface Bringable {
  readonly pair: OptimisticWidget
  /** The user's pair that the server has made of it already, where an earlier try was interrupted. */
  readonly made: OptimisticWidget | null
}

/** The guest's pairs by their fate if they are brought along now, each in the guest's order. */
interface GuestPlan {
  readonly ready: readonly Bringable[]
  /** Beyond the tier's limit. */
  readonly beyond: readonly OptimisticWidget[]
  /** The user has a pair of the same coins in the same order, which stays as it is, as the guest's does. */
  readonly there: readonly OptimisticWidget[]
}

/**
 * Plans the bringing along of the guest's pairs to the user of `snapshot`. Pairs that are on their way, to this user or
 * to another who has left, are not in it.
 */
export async function planGuestPairs(db: LocalDatabase, snapshot: Snapshot): Promise<GuestPlan> {
  const { session, owner, shown, limits } = snapshot
  const plan = { ready: [] as Bringable[], beyond: [] as OptimisticWidget[], there: [] as OptimisticWidget[] }
  if (isAnonymousOwner(owner)) return plan
  const board = await readGuestBoard(db, session.anonymous_id)
  const onTheWay = new Set(
    (await db.outbox.toArray()).flatMap(({ brings }) => (brings === undefined ? [] : [brings.pair])),
  )
  let room = limits.max_widgets - shown.length
  for (const pair of board.shown) {
    if (onTheWay.has(guestPairId(pair))) continue
    const key = keyFor(guestPairId(pair), owner)
    const made = shown.find((one) => isMadeWith(one, key)) ?? null
    if (made !== null && isUnfinished(made, pair, owner, limits)) plan.ready.push({ pair, made })
    else if (shown.some((one) => isSamePair(one, pair))) plan.there.push(pair)
    else if (room-- > 0) plan.ready.push({ pair, made: null })
    else plan.beyond.push(pair)
  }
  return plan
}

export const hasAlerts = ({ high_threshold, low_threshold, notifications_enabled }: OptimisticWidget): boolean =>
  high_threshold !== null || low_threshold !== null || notifications_enabled

/** The guest's checkpoints that the server has not made for the user yet. */
export const missingCheckpoints = (pair: OptimisticWidget, made: OptimisticWidget | null, user: OwnerId) =>
  pair.checkpoints
    .map((one) => ({ ...one, key: keyFor(one.created_by_op ?? one.id, user) }))
    .filter(({ key }) => made?.checkpoints.some((one) => isMadeWith(one, key)) !== true)

/** False where guest or user has decided otherwise since: both copies stay. */
function isUnfinished(made: OptimisticWidget, pair: OptimisticWidget, user: OwnerId, limits: Limits): boolean {
  const alerts = ['high_threshold', 'low_threshold', 'notifications_enabled'] as const
  const sameAlerts = alerts.every((field) => made[field] === pair[field])
  const checkpoints = made.checkpoints.length + missingCheckpoints(pair, made, user).length
  return (sameAlerts || !hasAlerts(made)) && checkpoints <= limits.max_checkpoints_per_widget
}

/** All pairs that the user is asked about. */
export const askedAbout = ({ ready, beyond }: GuestPlan): readonly string[] =>
  [...ready.map(({ pair }) => pair), ...beyond].map(guestPairId)

/** The offer to a user to bring along the pairs that this browser's guest still has. */
export interface GuestOffer {
  readonly owner: OwnerId
  /** Names of the pairs that can come along now, such as `BTC/ETH`. */
  readonly ready: readonly string[]
  /** How many more there are than the tier holds. */
  readonly beyond: number
  /** How many the user has already. */
  readonly there: number
  /** The question has not been answered yet, or the tier holds more than at the answer. */
  readonly ask: boolean
}

/** Null where nothing is left to be offered, and while the user's own pairs are not known. */
export async function readGuestOffer(db: LocalDatabase): Promise<GuestOffer | null> {
  const offer = await withSnapshot(db, async (snapshot) => {
    const { owner, limits } = snapshot
    const { pulled_at, guest_asked } = await readOwnerSyncState(db, owner)
    const plan = await planGuestPairs(db, snapshot)
    const all = askedAbout(plan)
    if (pulled_at === null || all.length === 0) return null
    const name = ({ coin_a_id, coin_b_id }: OptimisticWidget) => pairName(snapshot, coin_a_id, coin_b_id)
    const isNew = guest_asked == null || all.some((pair) => !guest_asked.pairs.includes(pair))
    const hasGrown = guest_asked?.max_widgets != null && limits.max_widgets > guest_asked.max_widgets
    return {
      owner,
      ready: plan.ready.map(({ pair }) => name(pair)),
      beyond: plan.beyond.length,
      there: plan.there.length,
      ask: plan.ready.length > 0 && (isNew || hasGrown),
    }
  })
  return offer ?? null
}
