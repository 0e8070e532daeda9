import type * as z from 'zod/mini'
import type { channelRoutes } from '../contract/channels'
import type { checkpointRoutes } from '../contract/checkpoint'
import type { ReceivedErrorCode } from '../contract/errors'
import type { RegisterByPasskeyBody } from '../contract/passkeys'
import type { routes } from '../contract/routes'
import type { PasskeyChallenge, SignedChallenge } from '../contract/web-authn'
import type { ruleRoutes } from '../contract/rules'
import type { widgetRoutes } from '../contract/widget'
import type { CoinId, OwnerId } from '../domain/ids'
import type { Period } from '../domain/chart-periods'
import type { NewAccount } from './sign-in-rows'

type Routes = typeof routes & typeof channelRoutes
/** All that the engine can ask for. */
export type EngineCall = keyof Routes

/** Routes of the outbox's mutations: stored first, and sent again until the server has judged them. */
export type DurableRoute =
  | Exclude<keyof typeof widgetRoutes | keyof typeof checkpointRoutes | keyof typeof ruleRoutes, 'listWidgets'>
  | 'saveAlertSettings'

/** Routes that only the engine uses: for a sync, for tokens, or as a part of another call. */
type EngineRoute =
  | 'listWidgets'
  | 'listAlerts'
  | 'alertSettings'
  | 'supportedCoins'
  | 'tierLimits'
  | 'config'
  | 'refreshToken'
  | 'logOut'
  | 'refreshSubscription'
  | 'linkGoogle'
  | 'resetUserState'

/** Routes that a page calls: sent once, at once, and never queued. A password goes no further than its request. */
export type CallRoute = Exclude<EngineCall, DurableRoute | EngineRoute>

/** The page names the owner whom it shows: another tab may have changed who is signed in. Nothing is sent as another. */
type OwnedRoute = 'changePassword' | 'deleteMe' | 'deleteMeOauth' | 'deleteMyData'

type Message = { readonly message: string }

/** Calls whose input or value on this device is not that of the wire; see SPECIAL in src/sync/call.ts. */
interface OwnInputs {
  /** The address to which Google has led the user back; `state` names the sign-in that this browser began. */
  readonly googleCallback: { readonly code: string; readonly state: string; readonly iss: string | null }
  readonly register: { readonly email: string; readonly password: string; readonly account: NewAccount }
  readonly registerByPasskey: RegisterByPasskeyBody & { readonly account: NewAccount }
  /** A browser that did not register the address needs the password, or the passkey that is in its place. */
  readonly verifyEmail: { readonly token: string; readonly password?: string; readonly passkey?: SignedChallenge }
  /** The versions that were shown: nothing else is accepted. */
  readonly acceptPolicies: { readonly terms: string; readonly privacy: string }
  /** The endpoint that this browser gave up; null: it had none. */
  readonly unsubscribePush: { readonly endpoint: string | null }
  readonly historical: { readonly id: CoinId; readonly period: Period }
}
interface OwnValues {
  readonly logIn: null
  readonly secondFactor: null
  readonly logInByPasskey: null
  readonly registerByPasskey: null
  /** Null after a sign-in; else what a signed-in user went to Google for is done, and this is where it began. */
  readonly googleCallback: (Message & { readonly back_to: string }) | null
  /** `signed_in`: the user is in, and verifies the address later; else the message says what to do first. */
  readonly register: Message & { readonly signed_in: boolean }
  readonly verifyEmail: Message
  readonly resetPassword: Message
  /** The account has been loaded again and stored; otherwise a sync does that every minute. */
  readonly me: null
  /** The policies in force are stored, texts and all. */
  readonly currentPolicies: null
  readonly acceptPolicies: null
  /** Alerts reach this browser. Without an answer (status 0), a later sync tells the server. */
  readonly subscribePush: null
  readonly unsubscribePush: null
  /** The history has been stored. */
  readonly historical: null
}
export type SpecialRoute = keyof OwnInputs | keyof OwnValues | 'deleteMyData' | 'feedback'

type Params<R extends EngineCall> = Routes[R] extends { readonly params: infer P extends z.ZodMiniType }
  ? z.input<P>
  : unknown
type Query<R extends EngineCall> = Routes[R] extends { readonly query: infer Q extends z.ZodMiniType }
  ? Partial<z.output<Q>>
  : unknown
type Body<R extends EngineCall> = Routes[R] extends { readonly body: infer B extends z.ZodMiniType }
  ? string extends keyof NonNullable<z.input<B>>
    ? unknown
    : z.input<B>
  : unknown
type WireInput<R extends EngineCall> = Params<R> & Query<R> & Body<R>

/** The parameters, the query and the fields of the body, side by side. */
export type CallInput<R extends CallRoute> = (R extends keyof OwnInputs
  ? OwnInputs[R]
  : unknown extends WireInput<R>
    ? object
    : WireInput<R>) &
  (R extends OwnedRoute ? { readonly owner: OwnerId } : unknown)

/** A part of a longer list. */
export interface ListPage<T> {
  readonly rows: readonly T[]
  /** Length of the whole list. */
  readonly total: number
}

type Readable<T> = T extends readonly (infer Row)[] ? readonly Row[] : T

/** The answer as the route's schema reads it; null for a route without one. */
export type CallValue<R extends CallRoute> = R extends keyof OwnValues
  ? OwnValues[R]
  : Routes[R] extends { readonly counted: true; readonly answer: z.ZodMiniArray<infer Row> }
    ? ListPage<z.output<Row>>
    : Routes[R] extends { readonly answer: infer A extends z.ZodMiniType }
      ? Readable<z.output<A>>
      : null

/** A refusal and a missing network alike; neither is thrown. src/state/calls.ts makes a sentence of it. */
export interface CallFailure {
  readonly ok: false
  /** HTTP status; 0: nothing answered. */
  readonly status: number
  readonly error_code: ReceivedErrorCode | null
  readonly message: string
  /** Of the account that a link is for, with PASSWORD_REQUIRED and PASSKEY_REQUIRED. */
  readonly email?: string
  /** With SECOND_FACTOR_REQUIRED: the challenge for the account's passkeys. */
  readonly second_factor?: PasskeyChallenge
  /** Of a way to Google that was no sign-in: where it began. */
  readonly back_to?: string
}

export type CallResult<T = unknown> = { readonly ok: true; readonly value: T } | CallFailure

/**
 * Sends a call once, as the user of this browser: a call that may have reached the server is not repeated. Nothing of the
 * value is stored here, but for `null` values, whose comments say so.
 */
export type Call = <R extends CallRoute>(route: R, input: CallInput<R>) => Promise<CallResult<CallValue<R>>>
