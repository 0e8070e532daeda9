import { randomUUID } from 'node:crypto'
import { signAccessToken } from '../../../server/services/sessions/access-token'
import { accessTokenKey } from '../../../server/services/sessions/token-key'
import { isAnonymousOwner, type OwnerId } from '../../../src/domain/ids'
import { newUser } from '../../server/support/new-user'
import type { TestApp } from '../../server/support/test-app'

/** Seconds; longer than any history. Expiry is the identity stand-in's matter. */
const LIFETIME = 10 * 365 * 86_400

/** The accounts of one history on the real server. */
export interface People {
  readonly users: readonly OwnerId[]
  readonly isPremium: (owner: OwnerId) => boolean
  /** How an owner's requests are signed on their last stretch. */
  readonly headersOf: (owner: string) => Readonly<Record<string, string>>
}

/** A premium user and a free one. */
export async function somePeople(server: TestApp): Promise<People> {
  const tokens = new Map<string, string>()
  const users: OwnerId[] = []
  for (const premium of [true, false]) {
    const { id } = await newUser(server.database, server.clock(), { id: randomUUID(), premium })
    const claims = { userId: id, sessionId: id, now: server.clock(), lifetime: LIFETIME }
    tokens.set(id, await signAccessToken(accessTokenKey(server.env), claims))
    users.push(id as OwnerId)
  }
  return {
    users,
    isPremium: (owner) => owner === users[0],
    headersOf: (owner) =>
      isAnonymousOwner(owner)
        ? { 'x-anonymous-user-id': owner }
        : { authorization: `Bearer ${tokens.get(owner) ?? 'nobody'}` },
  }
}
