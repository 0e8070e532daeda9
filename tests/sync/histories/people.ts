import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { subscriptions } from '../../../server/db/schema/billing'
import { operations, widgets } from '../../../server/db/schema/widgets'
import { owners } from '../../../server/db/schema/users'
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
      const { orm } = server.database
      const [owner] = await orm
        .select()
        .from(owners)
        .where(eq(owners.anonymous_hash, hashOfSecret(guest)))
      if (owner === undefined) return
      const rows = await orm.select().from(widgets).where(eq(widgets.owner_id, owner.id))
      const one = a % 2 === 0 ? rows[a % Math.max(1, rows.length)] : undefined
      if (one !== undefined) return void (await orm.delete(widgets).where(eq(widgets.id, one.id)))
      await orm.delete(widgets).where(eq(widgets.owner_id, owner.id))
      await orm.delete(operations).where(eq(operations.owner_id, owner.id))
      await orm.delete(owners).where(eq(owners.id, owner.id))
    },
    headersOf: (owner) =>
      isAnonymousOwner(owner)
        ? { 'x-anonymous-user-id': owner }
        : { authorization: `Bearer ${tokens.get(owner) ?? 'nobody'}` },
  }
}
