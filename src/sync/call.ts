import type { CallInput, CallResult, CallRoute, CallValue, EngineCall, SpecialRoute } from '../db/call'
import { forgetGuest, leaveOwner, leavingTables } from '../db/leave-owner'
import { markRegistrationOutdated } from '../db/push-registration'
import { readMeta, writeMeta } from '../db/database'
import type { SessionRow } from '../db/rows'
import { changeMeta, writeTransaction } from '../db/write-transaction'
import { anonymousId, type OpId, type OwnerId } from '../domain/ids'
import { acceptPolicies, loadPolicies, noteProviderVisit, reloadUser } from './account/user'
import { register, resetPassword, signIn, signInWithGoogle, signInWithPassword, verifyEmail } from './account/sign-in'
import { failureOf, messageResult, outcomeOf, type PerformCall } from './call-result'
import type { EngineEnv } from './env'
import { fetchHistory } from './history'
import { subscribePush, unsubscribePush } from './push/sync-push'
import { type ApiRequest, asPresent, engineRoutes, send } from './request'

/**
 * Removes a guest at the server, then the browser's push subscription, then the guest here. Every step may be repeated.
 * This browser forgets the guest last, so that after an interruption a second try ends alike.
 */
const deleteGuestData: PerformCall<'deleteMyData'> = async (env, { owner }) => {
  const { db, locks, push } = env
  // The lock keeps mutations back meanwhile: one that arrived later would make the guest anew.
  return locks.request('outbox-drain', () =>
    locks.request('push', async () => {
      const { answer } = await asPresent(env, { route: 'deleteMyData' }, owner)
      if (answer.kind !== 'ok') return outcomeOf(answer)
      await (await push?.current())?.unsubscribe()
      await forgetGuest(db, owner, anonymousId(env.now(), randomOf(env)))
      return outcomeOf(answer)
    }),
  )
}

/** 32 bytes of two random UUIDs, of which at least 30 are wholly random in their lower six bits. */
const randomOf = ({ token }: EngineEnv): Uint8Array => {
  const digits = (token() + token()).replaceAll('-', '')
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}

/** Sends a message. A message whose answer was lost is sent again under the same key, so the server keeps it once. */
const sendFeedback: PerformCall<'feedback'> = async (env, { message }) => {
  const key = await keyOf(env, message)
  const { session, answer } = await asPresent(env, { route: 'feedback', body: { message }, key })
  const hasVerdict = answer.kind === 'ok' || answer.kind === 'refused'
  if (hasVerdict && session !== null) await forgetKey(env, session.owner)
  return messageResult(answer)
}

async function keyOf({ db, token }: EngineEnv, message: string): Promise<OpId> {
  return writeTransaction(db, [db.session, db.meta], async () => {
    const fresh = token() as OpId
    const session = await db.session.get('current')
    if (session === undefined) return fresh
    const unanswered = (await readMeta(db, 'feedback_unanswered')) ?? {}
    const known = unanswered[session.owner]
    if (known?.message === message) return known.key
    await writeMeta(db, 'feedback_unanswered', { ...unanswered, [session.owner]: { message, key: fresh } })
    return fresh
  })
}

const forgetKey = ({ db }: EngineEnv, owner: OwnerId): Promise<void> =>
  changeMeta(db, 'feedback_unanswered', (unanswered = {}) => {
    const { [owner]: _, ...others } = unanswered
    return others
  })

/** Calls that are more than one request and its answer. */
const SPECIAL: { readonly [R in SpecialRoute]: PerformCall<R> } = {
  logIn: signInWithPassword,
  secondFactor: (env, body) => signIn(env, { route: 'secondFactor', body }),
  logInByPasskey: (env, body) => signIn(env, { route: 'logInByPasskey', body }),
  registerByPasskey: (env, { account, ...body }) => signIn(env, { route: 'registerByPasskey', body }, { account }),
  googleCallback: signInWithGoogle,
  register,
  verifyEmail,
  resetPassword,
  me: reloadUser,
  currentPolicies: loadPolicies,
  acceptPolicies,
  deleteMyData: deleteGuestData,
  feedback: sendFeedback,
  subscribePush,
  unsubscribePush,
  historical: fetchHistory,
}

type After = (env: EngineEnv, session: SessionRow, input: object) => Promise<unknown>
const noteVisit: After = (env, { owner }) => noteProviderVisit(env, owner)
/** A superuser's own grant shows here at once. */
const reloadIfOwn: After = async (env, { owner }, input) => 'id' in input && input.id === owner && reloadUser(env)
/** The server has scheduled the deletion and ended all sessions. Waiting mutations are dropped: no owner is left to send them. */
const leave: After = ({ db }, { owner }) =>
  writeTransaction(db, leavingTables(db), async () => {
    const session = await db.session.get('current')
    if (session?.owner === owner) await leaveOwner(db, session, 'forget')
  })

/** Changes in this browser after the server has done a call. */
const AFTER: { readonly [R in CallRoute]?: After } = {
  createCheckoutSession: noteVisit,
  createPortalSession: noteVisit,
  grantPremium: reloadIfOwn,
  revokePremium: reloadIfOwn,
  addPasskey: reloadUser,
  removePasskey: reloadUser,
  unlinkGoogle: reloadUser,
  deleteMe: leave,
  deleteMeOauth: leave,
  // The server may have had this browser's push subscription without a session.
  endOtherSessions: ({ db }, { owner }) => markRegistrationOutdated(db, owner),
}

/** Sends a page's call and stores what it changes here. A refusal is a result; rejects only if the local database fails. */
export async function performCall<R extends CallRoute>(
  env: EngineEnv,
  name: R,
  input: CallInput<R>,
): Promise<CallResult<CallValue<R>>> {
  if (!Object.hasOwn(SPECIAL, name)) return sendPlain(env, name, input) as Promise<CallResult<CallValue<R>>>
  return (SPECIAL[name as SpecialRoute] as unknown as PerformCall<R>)(env, input)
}

async function sendPlain(env: EngineEnv, name: CallRoute, input: object): Promise<CallResult> {
  const request = requestOf(name, input)
  const { session, answer } =
    engineRoutes[name].identity === 'none'
      ? { session: null, answer: await send(env, request, {}) }
      : await asPresent(env, request, 'owner' in input ? (input.owner as OwnerId) : undefined)
  if (answer.kind !== 'ok') return failureOf(answer)
  if (session !== null) await AFTER[name]?.(env, session, input)
  const { value, total } = answer
  return { ok: true, value: total === undefined ? value : { rows: value, total } }
}

/** Sorts a call's fields into the parameters, the query and the body of its route. */
function requestOf(name: EngineCall, input: object): ApiRequest {
  const route = engineRoutes[name]
  const params: Record<string, string> = {}
  const query: Record<string, string> = {}
  const body: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(input) as [string, string | number | undefined][]) {
    if (value === undefined || field === 'owner') continue
    if (route.params !== undefined && field in route.params.shape) params[field] = String(value)
    else if (route.query !== undefined && field in route.query.shape) query[field] = String(value)
    else body[field] = value
  }
  return { route: name, params, query, ...(route.body !== undefined && { body }) }
}
