import type { OwnerId } from '../../domain/ids'
import { readOwnerSyncState } from '../answers/owner-sync-state'
import type { OptimisticWidget } from '../board'
import { pairName, readSnapshot, snapshotTables } from '../snapshot'
import type { LocalDatabase } from '../database'
import { askedAbout, planGuestPairs } from '../guest-plan'

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
  return db.transaction('r', [...snapshotTables(db), db.owners], async () => {
    const snapshot = await readSnapshot(db)
    if (snapshot === undefined) return null
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
}
