import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { googleCallbackBody, TokenAnswer, User } from '../../../src/contract/session'
import {
  type Identified,
  type IdentityProvider,
  openIdProvider,
  ProviderUnavailable,
  SignInRefused,
} from '../../adapters/identity-provider'
import { ApiError } from '../../http/api-error'
import { users } from '../../db/schema/users'
import {
  accountAnswer,
  accountOfUser,
  findAccount,
  findLinkedAccount,
  normalEmail,
  ownAccount,
  requireVerified,
  type UserAccount,
} from '../accounts/account'
import { endVerificationLinks } from '../accounts/email-links'
import { newAccount } from '../accounts/register'
import { closeWaysIn, isProven } from '../accounts/ways-in'
import { type Caller, withOwnerLock } from '../owners'
import { requestMail } from '../mail/queued-mail'
import { tellOfRemoval } from '../passkeys/tell-of-removal'
import { type ChangeTx, commitChange } from '../revisions'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import { requireFreshSignIn } from '../sessions/sessions'
import { signInOrChallenge, tokensOf } from '../sessions/sign-in'
import type { Visit } from '../sessions/devices'

const GOOGLE = 'https://accounts.google.com'

/** Identity provider: Google, the sandbox's stand-in, or none (null). */
export function chooseIdentityProvider({
  env,
  sandbox,
  clock,
  logger,
}: Pick<ServiceDeps, 'env' | 'clock' | 'logger'> & {
  readonly sandbox?: IdentityProvider | undefined
}): IdentityProvider | null {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer = GOOGLE } = env
  if (clientId === undefined || clientSecret === undefined) return sandbox ?? null
  const onFailure = (error: Error) => logger?.error({ err: error, issuer }, 'sign-in with Google is not to be had')
  return openIdProvider({ issuer, clientId, clientSecret, clock, onFailure })
}

/**
 * Exchanges a code of Google's for who it is about.
 * @throws ApiError GOOGLE_SIGN_IN_REFUSED, also for an address that Google has not verified; IDENTITY_PROVIDER_UNAVAILABLE
 */
export async function identify(
  { google, env, logger }: Pick<ServiceDeps, 'google' | 'env' | 'logger'>,
  { code, redirect_uri, code_verifier, nonce, iss }: z.output<typeof googleCallbackBody>,
): Promise<Identified> {
  if (google === null) throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'This server has no login with Google.')
  if (redirect_uri !== redirectUriOf(env.PUBLIC_URL)) {
    throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'The login was begun at another address of this app.')
  }
  const answer = { code, redirectUri: redirect_uri, codeVerifier: code_verifier, nonce, iss }
  const who = await google.identify(answer).catch((error: unknown) => {
    if (error instanceof SignInRefused) {
      logger?.info({ err: error }, 'sign-in with Google refused')
      throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'Google did not confirm this login.')
    }
    if (error instanceof ProviderUnavailable) {
      logger?.error({ err: error }, 'sign-in with Google not possible')
      throw new ApiError('IDENTITY_PROVIDER_UNAVAILABLE', 'Google cannot be reached at the moment. Please try again.')
    }
    throw error
  })
  if (!who.emailVerified) throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'Google has not verified this email address.')
  return who
}

/** The only address to which Google may send anybody back. */
export const redirectUriOf = (publicUrl: string): string => `${publicUrl}/auth/google/callback`

/**
 * Links the caller's account with a Google account, whatever that one's address is: the caller has shown whose account it
 * is.
 * @throws ApiError EMAIL_NOT_VERIFIED, FRESH_SIGN_IN_REQUIRED; GOOGLE_SIGN_IN_REFUSED, also where that Google account, or
 *   this account, is linked with another one; IDENTITY_PROVIDER_UNAVAILABLE; TOKEN_EXPIRED
 */
export async function linkGoogle(
  deps: ServiceDeps,
  caller: Caller,
  answer: z.output<typeof googleCallbackBody>,
): Promise<User> {
  const { database, clock } = deps
  // Before the code is used up: with a fresh sign-in the same code is still good.
  requireVerified(await ownAccount(database.orm, caller))
  await requireFreshSignIn(database.orm, caller, clock())
  const who = await identify(deps, answer)
  const { subject } = who
  const now = clock()
  return withOwnerLock(database, caller, now, async (tx, { id }) => {
    await requireFreshSignIn(tx, caller, now)
    const account = await accountOfUser(tx, id)
    if (account.google_subject === subject) return accountAnswer(account)
    if (account.google_subject !== null || (await findLinkedAccount(tx, subject)) !== undefined) {
      throw new ApiError(
        'GOOGLE_SIGN_IN_REFUSED',
        account.google_subject === null
          ? 'This Google account belongs to another account here.'
          : 'Another Google account is linked already. Remove it first.',
      )
    }
    const google_added_at = isOfMailbox(who, account) ? null : new Date(now)
    await tx.update(users).set({ google_subject: subject, google_added_at }).where(eq(users.id, id))
    tx.raise(id, 'account')
    await recordSecurityEvent(tx, { userId: id, kind: 'google-linked' }, now)
    await requestMail(tx, { kind: 'google-linked', email: account.email }, now)
    return accountAnswer({ ...account, google_subject: subject })
  })
}

/**
 * Ends the link with Google. Sessions that were begun with it go on, as after any other change of how to sign in.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED; FORBIDDEN where neither a password nor a passkey is left to sign in with;
 *   TOKEN_EXPIRED
 */
export function unlinkGoogle(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  caller: Caller,
): Promise<User> {
  const now = clock()
  return withOwnerLock(database, caller, now, async (tx, { id }) => {
    const account = await accountOfUser(tx, id)
    if (account.password_hash === null && !account.opens_by_passkey) {
      throw new ApiError('FORBIDDEN', 'Set a password first: without Google nobody could log in to this account.')
    }
    await requireFreshSignIn(tx, caller, now)
    if (account.google_subject === null) return accountAnswer(account)
    await tx.update(users).set({ google_subject: null, google_added_at: null }).where(eq(users.id, id))
    tx.raise(id, 'account')
    await recordSecurityEvent(tx, { userId: id, kind: 'google-unlinked' }, now)
    await requestMail(tx, { kind: 'google-unlinked', email: account.email }, now)
    return accountAnswer({ ...account, google_subject: null })
  })
}

/**
 * Signs in the user of a code of Google's. By `state` the browser knows that the answer belongs to a sign-in begun in it;
 * by PKCE's verifier and the nonce the server does.
 * @throws ApiError GOOGLE_SIGN_IN_REFUSED, GOOGLE_NOT_LINKED, IDENTITY_PROVIDER_UNAVAILABLE; SECOND_FACTOR_REQUIRED;
 *   FORBIDDEN for a disabled account
 */
export async function signInByGoogle(
  deps: ServiceDeps,
  answer: z.output<typeof googleCallbackBody>,
  visit: Visit,
): Promise<TokenAnswer> {
  const { database, clock } = deps
  const who = await identify(deps, answer)
  const now = clock()
  const { value: step } = await commitChange(database, now, async (tx) => {
    return signInOrChallenge(tx, deps, { userId: await accountOfIdentity(tx, who, now), factor: 'google', visit }, now)
  })
  return tokensOf(step)
}

/**
 * The account of somebody whom Google has identified, and whose address Google has verified: the one that is linked, else
 * the one with that address, else a new one.
 * @param tx holds the account's row afterwards
 * @throws ApiError GOOGLE_SIGN_IN_REFUSED when the address belongs to an account of another Google account,
 *   GOOGLE_NOT_LINKED when it belongs to an account and to a mailbox that Google does not run
 */
export async function accountOfIdentity(tx: ChangeTx, who: Identified, now: number): Promise<string> {
  const linked = await findLinkedAccount(tx, who.subject, 'held')
  if (linked !== undefined) return noteMailbox(tx, linked, who, now)
  const sameAddress = await findAccount(tx, who.email, 'held')
  if (sameAddress !== undefined) return link(tx, sameAddress, who, now)
  const { email, subject: google_subject } = who
  const proven = { password_proven: runsMailbox(who), owner_proven: runsMailbox(who) }
  const account = { email, google_subject, ...proven, email_verified_at: new Date(now) }
  const made = await newAccount(tx, account, now)
  if (made !== null) return made
  // Another request was faster, perhaps the same user's in another tab; its account is there now.
  return accountOfIdentity(tx, who, now)
}

/**
 * Notes that the owner of a linked account has the mailbox. A password may be a stranger's, who registered the address and told it
 * to the owner; without one nobody but this Google account got in. An account with passkeys stays as it is: they are
 * asked for next, and who lacks them resets by mail, which removes them.
 */
async function noteMailbox(tx: ChangeTx, account: UserAccount, who: Identified, now: number): Promise<string> {
  const { id, password_hash, has_passkeys } = account
  if (!isOfMailbox(who, account) || isProven(account)) return id
  if (password_hash === null) {
    await tx.update(users).set({ password_proven: true, owner_proven: true }).where(eq(users.id, id))
  } else if (!has_passkeys) {
    await takeOver(tx, account, who, now)
  }
  return id
}

async function link(tx: ChangeTx, account: UserAccount, who: Identified, now: number): Promise<string> {
  const { subject } = who
  const { id } = account
  // They themselves in another tab, since nobody was found who is linked.
  if (account.google_subject === subject) return id
  // The address has passed on to somebody else, as addresses of companies do; what was kept under it has not. A Google account
  // that never had the mailbox, on an account that was never proven, is a stranger's, and goes with the rest.
  const isStrangers = !isProven(account) && account.google_added_at !== null && runsMailbox(who)
  if (account.google_subject !== null && !isStrangers) {
    throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'This email address belongs to the account of another Google account.')
  }
  if (!runsMailbox(who)) {
    throw new ApiError(
      'GOOGLE_NOT_LINKED',
      'There is an account with this email address already. Log in to it, then link Google in Settings.',
    )
  }
  if (isProven(account)) {
    tx.raise(id, 'account')
    await tx.update(users).set({ google_subject: subject }).where(eq(users.id, id))
    await requestMail(tx, { kind: 'google-linked', email: account.email }, now)
  } else {
    await takeOver(tx, account, who, now)
  }
  await recordSecurityEvent(tx, { userId: id, kind: 'google-linked' }, now)
  return id
}

/**
 * Gives the account to the reader of the mailbox, whom Google has identified. A stranger may have registered it, or have signed in
 * to it: nothing that they set opens it any more.
 */
async function takeOver(tx: ChangeTx, account: UserAccount, { subject }: Identified, now: number): Promise<void> {
  const { id } = account
  const removed = await closeWaysIn(tx, id, { kind: 'takeover' }, now)
  await tx
    .update(users)
    .set({
      google_subject: subject,
      email_verified_at: account.email_verified_at ?? new Date(now),
      password_proven: true,
      owner_proven: true,
    })
    .where(eq(users.id, id))
  await endVerificationLinks(tx, id, now)
  await recordSecurityEvent(tx, { userId: id, kind: 'google-alone' }, now)
  await tellOfRemoval(tx, account, removed, now)
  // An account whose address was not verified has no user yet who could be told.
  if (account.email_verified_at !== null) await requestMail(tx, { kind: 'google-linked', email: account.email }, now)
}

/** True if Google runs the mailbox of the account's own address, and this person has it. */
const isOfMailbox = (who: Identified, { email }: Pick<UserAccount, 'email'>): boolean =>
  runsMailbox(who) && normalEmail(who.email) === normalEmail(email)

const CONSUMER_DOMAINS: readonly string[] = ['gmail.com', 'googlemail.com']

/**
 * True if Google itself runs the mailbox of the address: a consumer account, or a Workspace account of the address's own
 * domain (`hd`). Any other `email_verified` says only that the person read that mailbox once; it may belong to somebody
 * else today (developers.google.com/identity/gsi/web/guides/verify-google-id-token).
 */
function runsMailbox({ email, hostedDomain }: Pick<Identified, 'email' | 'hostedDomain'>): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return CONSUMER_DOMAINS.includes(domain) || hostedDomain?.toLowerCase() === domain
}
