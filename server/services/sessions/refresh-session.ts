import { eq, inArray } from 'drizzle-orm'
import type { TokenAnswer } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { refresh_tokens, sessions } from '../../db/schema/sessions'
import { type Account, readAccount } from '../accounts/account'
import { hashOfSecret } from '../secrets'
import { judgeRefresh, REFRESH_LIFETIME, successorOf } from './refresh-token'
import { tokensFor } from './token-answer'

type Parts = Pick<AppParts, 'env' | 'database' | 'tokenKey' | 'clock'>

/** What came of a request, settled inside a transaction: an end of the session must be kept, so it cannot be thrown there. */
type Outcome =
  { readonly kind: 'goes-on'; readonly account: Account; readonly sessionId: string } | { readonly kind: 'refused' }

/**
 * Gives an access token and the next refresh token for a refresh token (RFC 6749, 6; rotation and detection of reuse as
 * in RFC 9700, 4.14.2). Presented again, a token is given the same successor, until that has been used for a minute:
 * whoever lost the answer must not lose the session. After that its return ends the session.
 * @throws ApiError INVALID_REFRESH_TOKEN
 */
export async function refreshSession({ env, database, tokenKey, clock }: Parts, token: string): Promise<TokenAnswer> {
  const now = clock()
  const successor = successorOf(tokenKey, token)
  const outcome = await database.orm.transaction((tx) => rotate(tx, hashOfSecret(token), hashOfSecret(successor), now))
  if (outcome.kind === 'refused') throw new ApiError('INVALID_REFRESH_TOKEN', 'The session has ended.')
  return tokensFor({ env, tokenKey, now }, outcome.account, outcome.sessionId, successor)
}

async function rotate(tx: Queryable, hash: string, successorHash: string, now: number): Promise<Outcome> {
  const session = await holdSession(tx, hash)
  if (session === undefined) return { kind: 'refused' }
  const account = await readAccount(tx, session.user_id)
  if (account === undefined || !account.is_active) return { kind: 'refused' }

  switch (judgeRefresh(await presented(tx, hash), now)) {
    case 'expired':
      return { kind: 'refused' }
    case 'stolen':
      await tx.delete(sessions).where(eq(sessions.id, session.id))
      return { kind: 'refused' }
    case 'rotate':
      await tx
        .update(refresh_tokens)
        .set({ used_at: new Date(now) })
        .where(eq(refresh_tokens.token_hash, hash))
      break
    case 'repeat':
      break
  }
  // There already when the answer is repeated, unless the server has another key since.
  await tx
    .insert(refresh_tokens)
    .values({
      token_hash: successorHash,
      session_id: session.id,
      succeeds: hash,
      expires_at: new Date(now + REFRESH_LIFETIME),
    }) // prettier-ignore
    .onConflictDoNothing()
  return { kind: 'goes-on', account, sessionId: session.id }
}

/** The session of a token, whose rotations happen one after the other. */
async function holdSession(tx: Queryable, hash: string): Promise<typeof sessions.$inferSelect | undefined> {
  const ofToken = tx.select({ id: refresh_tokens.session_id }).from(refresh_tokens).where(eq(refresh_tokens.token_hash, hash)) // prettier-ignore
  const [session] = await tx.select().from(sessions).where(inArray(sessions.id, ofToken)).for('update')
  return session
}

/** Read while the session is held, so that nobody changes it meanwhile. */
async function presented(tx: Queryable, hash: string): Promise<Parameters<typeof judgeRefresh>[0]> {
  const [token] = await tx.select().from(refresh_tokens).where(eq(refresh_tokens.token_hash, hash))
  if (token === undefined) throw new Error('A refresh token vanished while its session was held')
  const successors = await tx.select().from(refresh_tokens).where(eq(refresh_tokens.succeeds, hash))
  // More than one where the key was changed between two answers; either may have reached the client.
  const used = successors.flatMap(({ used_at }) => used_at?.getTime() ?? [])
  const ends = successors.map(({ expires_at }) => expires_at.getTime())
  return {
    expiresAt: token.expires_at.getTime(),
    usedAt: token.used_at?.getTime() ?? null,
    successor: ends.length === 0 ? null : { expiresAt: Math.max(...ends), usedAt: used.length === 0 ? null : Math.min(...used) },
  } // prettier-ignore
}
