import { createHmac } from 'node:crypto'
import type { SignedChallenge } from '../../../src/contract/web-authn'
import type { Queryable } from '../../db/open'
import type { ServiceDeps } from '../service-deps'
import { newSecret } from '../secrets'
import { acceptAssertion, CHALLENGE_LIFETIME, refusedPasskey } from './passkeys'

/*
 * Challenges for passkeys beside which nothing stands. Anybody may ask for one, so it is not stored: it is made from its ticket
 * by the server's key. A passkey's use is noted, so that no answer to a challenge is good twice.
 */

const challengeOf = (key: Uint8Array, ticket: string): string =>
  createHmac('sha256', key).update(`passkey alone ${ticket}`).digest('base64url')

export function newTicket({ tokenKey, clock }: Pick<ServiceDeps, 'tokenKey' | 'clock'>) {
  const ticket = `${clock()}.${newSecret()}`
  return { ticket, challenge: challengeOf(tokenKey, ticket) }
}

const TOO_LATE = 'This took too long. Please try again.'

/**
 * The challenge of a ticket, and when it was given, milliseconds.
 * @throws ApiError SECOND_FACTOR_REFUSED when its time is over
 */
export function readTicket(tokenKey: Uint8Array, ticket: string, now: number) {
  const aloneSince = Number(ticket.split('.', 1)[0])
  if (!(now - aloneSince < CHALLENGE_LIFETIME)) throw refusedPasskey(TOO_LATE)
  return { challenge: challengeOf(tokenKey, ticket), aloneSince }
}

/**
 * Accepts a signature of a passkey that opens the user's account alone. Part of a transaction that holds the user's row.
 * @throws ApiError SECOND_FACTOR_REFUSED
 */
export async function acceptAlone(
  tx: Queryable,
  deps: Pick<ServiceDeps, 'env' | 'logger' | 'tokenKey'>,
  userId: string,
  { ticket, assertion }: SignedChallenge,
  now: number,
): Promise<void> {
  await acceptAssertion(tx, deps, { userId, assertion, ...readTicket(deps.tokenKey, ticket, now) }, now)
}
