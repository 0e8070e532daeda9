import { and, eq, inArray, max, ne } from 'drizzle-orm'
import type { TokenAnswer } from '../../../src/contract/session'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { refresh_tokens, sessions } from '../../db/schema/sessions'
import { type UserAccount, readAccount } from '../accounts/account'
import { requestMail } from '../mail/queued-mail'
import { type ChangeTx, commitChange } from '../revisions'
import { hashOfSecret } from '../secrets'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import {
  judgeRefresh,
  type Presented,
  REFRESH_LIFETIME,
  SESSION_LIFETIME,
  successorOf,
  tokensFor,
} from './refresh-token'
import type { Visit } from './devices'

/** Result of a request inside a transaction: an ended session must be committed, so the result cannot be thrown there. */
type Outcome =
  | { readonly kind: 'goes-on'; readonly account: UserAccount; readonly session: typeof sessions.$inferSelect }
  | { readonly kind: 'refused' }
  | { readonly kind: 'nameless' }

/**
 * Gives an access token and the next refresh token for a refresh token (RFC 6749, 6; rotation and detection of reuse as
 * in RFC 9700, 4.14.2). Presented again, a token is given the same successor for some days, or for some minutes once a
 * client has shown that it has that: a client that lost the answer must not lose the session. After that, at a second such
 * return within a day, and as soon as a token that one attempt has used is presented by another, the session ends and its owner is
 * told by mail; also where a thief has ended it meanwhile.
 * @throws ApiError INVALID_REFRESH_TOKEN; FORBIDDEN for an attempt without a name in a session whose client gives names
 */
export async function refreshSession(
  { env, database, tokenKey, clock }: Pick<ServiceDeps, 'env' | 'database' | 'tokenKey' | 'clock'>,
  token: string,
  visit: Pick<Visit, 'deviceLabel' | 'attempt'>,
): Promise<TokenAnswer> {
  const now = clock()
  const successor = successorOf(tokenKey, token)
  const { value: outcome } = await commitChange(database, now, (tx) =>
    rotate(tx, hashOfSecret(token), { successorHash: hashOfSecret(successor), ...visit }, now),
  )
  if (outcome.kind === 'nameless')
    throw new ApiError('FORBIDDEN', 'Please reload the app: a newer version is in use here.')
  if (outcome.kind === 'refused') throw new ApiError('INVALID_REFRESH_TOKEN', 'The session has ended.')
  return tokensFor({ env, tokenKey, now }, outcome.account, outcome.session, successor)
}

async function rotate(
  tx: ChangeTx,
  hash: string,
  { successorHash, deviceLabel, attempt }: Pick<Visit, 'deviceLabel' | 'attempt'> & { readonly successorHash: string },
  now: number,
): Promise<Outcome> {
  const session = await holdSession(tx, hash)
  if (session === undefined) {
    const user = attempt === null ? null : await takeCopiedFamily(tx, hash, attempt)
    if (user !== null) await tellOfThief(tx, user, deviceLabel, now)
    return { kind: 'refused' }
  }
  const account = await readAccount(tx, session.user_id)
  if (account === undefined || !account.is_active) return { kind: 'refused' }

  const at = new Date(now)
  const endsAt = session.created_at.getTime() + SESSION_LIFETIME
  const ofToken = eq(refresh_tokens.token_hash, hash)
  const isNameless = session.names_attempts && attempt === null
  switch (judgeRefresh({ ...(await presented(tx, session.id, { hash, attempt })), endsAt, isNameless }, now)) {
    case 'expired':
      return { kind: 'refused' }
    case 'nameless':
      return { kind: 'nameless' }
    case 'stolen':
      await tx.delete(sessions).where(eq(sessions.id, session.id))
      await tx.delete(refresh_tokens).where(eq(refresh_tokens.session_id, session.id))
      await tellOfThief(tx, account, session.device_label, now)
      return { kind: 'refused' }
    case 'rotate':
      await tx.update(refresh_tokens).set({ used_at: at, attempt, user_id: account.id }).where(ofToken)
      break
    case 'return':
      await tx.update(refresh_tokens).set({ returned_at: at }).where(ofToken)
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
      user_id: account.id,
      succeeds: hash,
      expires_at: new Date(Math.min(now + REFRESH_LIFETIME, endsAt)),
    })
    .onConflictDoNothing()
  await tx
    .update(sessions)
    .set({
      refreshed_at: at,
      device_label: deviceLabel ?? session.device_label,
      ...(attempt !== null && { names_attempts: true }),
    })
    .where(eq(sessions.id, session.id))
  return { kind: 'goes-on', account, session }
}

type Owner = Pick<UserAccount, 'id' | 'email'>

async function tellOfThief(tx: ChangeTx, { id, email }: Owner, device: string | null, now: number): Promise<void> {
  tx.raise(id, 'account')
  await recordSecurityEvent(tx, { userId: id, kind: 'session-stolen', about: device }, now)
  await requestMail(tx, { kind: 'session-stolen', email, device }, now)
}

/**
 * The account of a token whose session has ended, if another attempt than this one had used it: a thief with a copy. The
 * tokens of the session go, so that it is told of once.
 */
async function takeCopiedFamily(tx: Queryable, hash: string, attempt: string): Promise<Owner | null> {
  const copied = tx
    .select({ session: refresh_tokens.session_id })
    .from(refresh_tokens)
    .where(and(eq(refresh_tokens.token_hash, hash), ne(refresh_tokens.attempt, attempt)))
  const taken = await tx
    .delete(refresh_tokens)
    .where(inArray(refresh_tokens.session_id, copied))
    .returning({ user: refresh_tokens.user_id })
  const user = taken.find((token) => token.user !== null)?.user
  return user == null ? null : ((await readAccount(tx, user)) ?? null)
}

/** The session of a token, whose rotations happen one after the other. */
async function holdSession(tx: Queryable, hash: string): Promise<typeof sessions.$inferSelect | undefined> {
  const ofToken = tx
    .select({ id: refresh_tokens.session_id })
    .from(refresh_tokens)
    .where(eq(refresh_tokens.token_hash, hash))
  const [session] = await tx.select().from(sessions).where(inArray(sessions.id, ofToken)).for('update')
  return session
}

/** Read while the session is held, so that nobody rotates it meanwhile. */
async function presented(
  tx: Queryable,
  sessionId: string,
  { hash, attempt }: { readonly hash: string; readonly attempt: string | null },
): Promise<Omit<Presented, 'endsAt' | 'isNameless'>> {
  const { token_hash, session_id, succeeds, expires_at, used_at, seen_at, returned_at } = refresh_tokens
  const [token] = await tx
    .select({ expires_at, used_at, attempt: refresh_tokens.attempt })
    .from(refresh_tokens)
    .where(eq(token_hash, hash))
  if (token === undefined) throw new Error('A refresh token vanished while its session was held')
  const successors = await tx.select({ expires_at, used_at, seen_at }).from(refresh_tokens).where(eq(succeeds, hash))
  const [returned] = await tx
    .select({ at: max(returned_at) })
    .from(refresh_tokens)
    .where(and(eq(session_id, sessionId), ne(token_hash, hash)))
  // More than one where the key was changed between two answers; any of them may have reached the client.
  const first = (times: readonly (Date | null)[]) => {
    const known = times.flatMap((time) => time?.getTime() ?? [])
    return known.length === 0 ? null : Math.min(...known)
  }
  return {
    expiresAt: token.expires_at.getTime(),
    usedAt: token.used_at?.getTime() ?? null,
    isSameAttempt: token.attempt === null || attempt === null ? null : token.attempt === attempt,
    otherReturnedAt: returned?.at?.getTime() ?? null,
    successor:
      successors.length === 0
        ? null
        : {
            expiresAt: Math.max(...successors.map(({ expires_at }) => expires_at.getTime())),
            usedAt: first(successors.map(({ used_at }) => used_at)),
            seenAt: first(successors.map(({ seen_at }) => seen_at)),
          },
  }
}
