import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { subscriptions } from '../../../server/db/schema/billing'
import { checkpoints, operations, widgets } from '../../../server/db/schema/widgets'
import { owner_revisions, owners } from '../../../server/db/schema/users'
import { hashOfSecret } from '../../../server/services/secrets'
import { syncTier } from '../../../server/services/billing/tier'
import { withUserLock } from '../../../server/services/owners'
import { accessTokenKey, signAccessToken } from '../../../server/services/sessions/access-token'
import { isAnonymousOwner, type OwnerId } from '../../../src/domain/ids'
import { MANUAL_PREFIX } from '../../../src/domain/subscription'
import { newUser } from '../../server/support/new-user'
import type { TestApp } from '../../server/support/test-app'

/** Seconds; longer than any history. Expiry is the identity stand-in's matter. */
const LIFETIME = 10 * 365 * 86_400

/** The accounts of one history on the real server. */
export interface People {
  readonly users: readonly OwnerId[]
  readonly isPremium: (owner: OwnerId) => boolean
  /** Rows made with Premium stay when it ends. */
  readonly wasPremium: (owner: OwnerId) => boolean
  /** A user gets premium, or loses it, as by an operator. */
  readonly changeTier: (owner: OwnerId) => Promise<void>
  /** The server loses a guest's pair, or all pairs and all keys. */
  readonly lose: (guest: OwnerId, a: number) => Promise<void>
  /** The owner's rows and keys as they are now; the function puts them back, as a restored backup does. */
  readonly backUp: (owner: OwnerId) => Promise<() => Promise<void>>
  /** How an owner's requests are signed on their last stretch. */
  readonly headersOf: (owner: string) => Readonly<Record<string, string>>
}

/** For longer than any history. */
const grantOf = (user_id: string, now: number): typeof subscriptions.$inferInsert => ({
  user_id,
  stripe_subscription_id: `${MANUAL_PREFIX}${randomUUID()}`,
  status: 'active',
  current_period_start: new Date(now),
  current_period_end: new Date(now + LIFETIME * 1_000),
  created_at: new Date(now),
})

/** Gives a user Premium, or takes it, as an operator does. */
export async function setPremium({ database, clock, env }: TestApp, user: string, gets: boolean): Promise<void> {
  const now = clock()
  await withUserLock(database, user, now, async (tx) => {
    await tx.delete(subscriptions).where(eq(subscriptions.user_id, user))
    if (gets) await tx.insert(subscriptions).values(grantOf(user, now))
    await syncTier(tx, user, env, now)
  })
}

/** A premium user and a free one. */
export async function somePeople(server: TestApp): Promise<People> {
  const tokens = new Map<string, string>()
  const users: OwnerId[] = []
  const { orm } = server.database
  const rowOf = async (name: OwnerId) => {
    const isIt = isAnonymousOwner(name) ? eq(owners.anonymous_hash, hashOfSecret(name)) : eq(owners.id, name)
    const [row] = await orm.select().from(owners).where(isIt)
    return row
  }
  /** Removes what the server has of an owner. */
  const clear = async (id: string, isWhole: boolean): Promise<void> => {
    await orm.delete(widgets).where(eq(widgets.owner_id, id))
    await orm.delete(operations).where(eq(operations.owner_id, id))
    await orm.delete(owner_revisions).where(eq(owner_revisions.owner_id, id))
    if (isWhole) await orm.delete(owners).where(eq(owners.id, id))
  }
  const [premiums, formers] = [new Set<OwnerId>(), new Set<OwnerId>()]
  for (const premium of [true, false]) {
    const { id } = await newUser(server.database, server.clock(), { id: randomUUID(), premium })
    const claims = { userId: id, sessionId: id, now: server.clock(), lifetime: LIFETIME }
    tokens.set(id, await signAccessToken(accessTokenKey(server.env), claims))
    users.push(id as OwnerId)
    if (premium) premiums.add(id as OwnerId)
  }
  return {
    users,
    isPremium: (owner) => premiums.has(owner),
    wasPremium: (owner) => premiums.has(owner) || formers.has(owner),
    async changeTier(owner) {
      const gets = !premiums.delete(owner)
      ;(gets ? premiums : formers).add(owner)
      await setPremium(server, owner, gets)
    },
    async lose(guest, a) {
      const owner = await rowOf(guest)
      if (owner === undefined) return
      const rows = await orm.select().from(widgets).where(eq(widgets.owner_id, owner.id))
      const one = a % 2 === 0 ? rows[a % Math.max(1, rows.length)] : undefined
      if (one === undefined) return clear(owner.id, true)
      await orm.delete(widgets).where(eq(widgets.id, one.id))
      // So does a backup from before the pair was added: by the revision that the device holds, no list would be asked for.
      await orm.delete(owner_revisions).where(eq(owner_revisions.owner_id, owner.id))
    },
    async backUp(name) {
      const owner = await rowOf(name)
      const ofOwner = owner?.id ?? randomUUID()
      const pairs = await orm.select().from(widgets).where(eq(widgets.owner_id, ofOwner))
      const points = await orm
        .select()
        .from(checkpoints)
        .where(
          inArray(
            checkpoints.widget_id,
            pairs.map(({ id }) => id),
          ),
        )
      const keys = await orm.select().from(operations).where(eq(operations.owner_id, ofOwner))
      const revisions = await orm.select().from(owner_revisions).where(eq(owner_revisions.owner_id, ofOwner))
      return async () => {
        const now = await rowOf(name)
        // A guest whom the server has lost since and met again has another row.
        const isAnother = now?.id !== owner?.id
        if (now !== undefined) await clear(now.id, isAnother)
        if (owner === undefined) return
        if (isAnother) await orm.insert(owners).values(owner)
        if (pairs.length > 0) await orm.insert(widgets).values(pairs)
        if (points.length > 0) await orm.insert(checkpoints).values(points)
        if (keys.length > 0) await orm.insert(operations).values(keys)
        if (revisions.length > 0) await orm.insert(owner_revisions).values(revisions)
      }
    },
    headersOf: (owner) =>
      isAnonymousOwner(owner)
        ? { 'x-anonymous-user-id': owner }
        : { authorization: `Bearer ${tokens.get(owner) ?? 'nobody'}` },
  }
}
