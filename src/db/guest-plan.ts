import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import type { Limits } from '../domain/tier-limits'
import type { OptimisticWidget } from './board'
import type { LocalDatabase } from './database'
import { guestPairId, isMadeWith, keyFor, readGuestBoard } from './guest-pairs'
import type { Snapshot } from './snapshot'

export interface Bringable {
  readonly pair: OptimisticWidget
  /** The user's pair that the server has made of it already, where an earlier try was interrupted. */
  readonly made: OptimisticWidget | null
}

/** The guest's pairs by their fate if they are brought along now, each in the guest's order. */
export interface GuestPlan {
  readonly ready: readonly Bringable[]
  /** Beyond the tier's limit. */
  readonly beyond: readonly OptimisticWidget[]
  /** The user has a pair of the same coins in the same order, which stays as it is, as the guest's does. */
  readonly there: readonly OptimisticWidget[]
}

const NO_GUEST_PAIRS: GuestPlan = { ready: [], beyond: [], there: [] }

/**
 * Plans the bringing along of the guest's pairs to the user of `snapshot`. Pairs that are on their way, to this user or
 * to another who has left, are not in it.
 */
export async function planGuestPairs(db: LocalDatabase, snapshot: Snapshot): Promise<GuestPlan> {
  const { session, owner, shown, limits } = snapshot
  if (isAnonymousOwner(owner)) return NO_GUEST_PAIRS
  const board = await readGuestBoard(db, session.anonymous_id)
  const onTheWay = new Set(
    (await db.outbox.toArray()).flatMap(({ brings }) => (brings === undefined ? [] : [brings.pair])),
  )
  let room = limits.max_widgets - shown.length
  const plan = { ready: [] as Bringable[], beyond: [] as OptimisticWidget[], there: [] as OptimisticWidget[] }
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
  const sameAlerts =
    made.high_threshold === pair.high_threshold &&
    made.low_threshold === pair.low_threshold &&
    made.notifications_enabled === pair.notifications_enabled
  const checkpoints = made.checkpoints.length + missingCheckpoints(pair, made, user).length
  return (sameAlerts || !hasAlerts(made)) && checkpoints <= limits.max_checkpoints_per_widget
}

const isSamePair = (a: OptimisticWidget, b: OptimisticWidget): boolean =>
  a.coin_a_id === b.coin_a_id && a.coin_b_id === b.coin_b_id

/** All pairs that the user is asked about. */
export const askedAbout = ({ ready, beyond }: GuestPlan): readonly string[] =>
  [...ready.map(({ pair }) => pair), ...beyond].map(guestPairId)
