import type * as z from 'zod'
import type { RouteName, routes } from '../../contract/routes'
import type { Answers, Page, QuestionKind, QuestionOf } from '../../db/question'
import type { Call } from '../request'

/** How a question is put to the server, and what its answer says. */
interface Asking<Q, A> {
  readonly call: (question: Q) => Call
  /** @param value has been read by the route's schema; `total` is absent where the route counts nothing */
  readonly told: (value: unknown, total: number | undefined) => A
}

type Routes = typeof routes
type Told<R extends RouteName> = z.infer<NonNullable<Routes[R]['answer']>>
/** Routes whose answer is a page of rows, and which say how many there are. */
type Counted = {
  [R in RouteName]: Routes[R] extends { readonly counted: true; readonly answer: z.ZodArray } ? R : never
}[RouteName]
type Rest<Q> = (question: Q) => Omit<Call, 'route'>

const plain = <R extends RouteName, Q>(route: R, rest: Rest<Q>): Asking<Q, Told<R>> => ({
  call: (question) => ({ route, ...rest(question) }),
  told: (value) => value as Told<R>,
})

/** Of a call that is answered by its status alone. */
const silent = <Q>(route: RouteName, rest: Rest<Q>): Asking<Q, null> => ({
  call: (question) => ({ route, ...rest(question) }),
  told: () => null,
})

const paged = <R extends Counted, Q>(route: R, rest: Rest<Q>): Asking<Q, Page<Told<R>[number]>> => ({
  call: (question) => ({ route, ...rest(question) }),
  told: (value, total) => {
    if (total === undefined) throw new Error(`An answer of ${route} was read that does not say how many there are.`)
    return { rows: value as Told<R>, total }
  },
})

export const QUESTIONS: { readonly [K in QuestionKind]: Asking<QuestionOf<K>, Answers[K]> } = {
  'open-checkout': plain('createCheckoutSession', () => ({ body: {} })),
  'open-portal': plain('createPortalSession', () => ({ body: {} })),
  'my-data': plain('myData', () => ({})),
  'admin-users': paged('adminUsers', ({ search, skip }) => ({
    query: { ...(search !== '' && { search }), skip: String(skip) },
  })),
  'admin-user': plain('adminUser', ({ user }) => ({ params: { id: user } })),
  'admin-subscriptions': plain('adminSubscriptions', ({ user }) => ({ params: { id: user } })),
  'grant-premium': plain('grantPremium', ({ user, days }) => ({ params: { id: user }, body: { duration_days: days } })),
  'revoke-premium': plain('revokePremium', ({ user }) => ({ params: { id: user }, body: {} })),
  'audit-log': paged('auditLog', ({ user, skip }) => ({
    query: { ...(user !== null && { target: user }), skip: String(skip) },
  })),
  overview: plain('overview', () => ({})),
  'ready-pairs': plain('readyPairs', () => ({})),
  devices: plain('devices', () => ({})),
  'end-session': silent('endSession', ({ id }) => ({ params: { id } })),
  'end-other-sessions': silent('endOtherSessions', () => ({})),
  passkeys: plain('passkeys', () => ({})),
  'begin-passkey': plain('addPasskeyOptions', () => ({ body: {} })),
  'add-passkey': plain('addPasskey', ({ ticket, name, attestation }) => ({ body: { ticket, name, attestation } })),
  'remove-passkey': {
    call: ({ passkey }) => ({ route: 'removePasskey', params: { id: passkey } }),
    told: () => null,
  },
  'renew-recovery-codes': plain('renewRecoveryCodes', () => ({ body: {} })),
  'begin-confirmation': plain('confirmOptions', () => ({ body: {} })),
  confirm: plain('confirm', ({ proof }) => ({ body: proof })),
  'unlink-google': plain('unlinkGoogle', () => ({})),
}
