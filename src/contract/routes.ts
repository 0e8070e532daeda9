import * as z from 'zod'
import { adminRoutes } from './admin-routes'
import { alertRoutes } from './alert-routes'
import { billingRoutes } from './billing-routes'
import { checkpoint, createCheckpointBody, deleteCheckpointsBody, reorderCheckpointsBody, updateCheckpointBody } from './checkpoint' // prettier-ignore
import { deviceRoutes } from './device-routes'
import { feedbackBody } from './feedback'
import { coin, historical, historicalQuery, readableCoins, readableHistorical } from './market'
import { myDataRoutes } from './my-data-routes'
import { passkeyRoutes } from './passkey-routes'
import { passwordRoutes } from './password-routes'
import { policies } from './policies'
import { pushSubscription, subscribeAnswer, unsubscribeBody } from './push'
import { readyPair } from './ready-pairs'
import { checkpointId, coinId, widgetId } from './scalars'
import { acceptPoliciesBody, deleteAccountBody, deletionAnswer, emailBody, emptyBody, googleCallbackBody, loginBody, messageAnswer, refreshTokenBody, registerAnswer, registerBody, tokenAnswer, user, verifyEmailAnswer, verifyEmailBody } from './session' // prettier-ignore
import { config, tierLimits } from './settings'
import { createWidgetBody, reorderWidgetsBody, updateWidgetBody, widget } from './widget'

export const API_BASE = '/api/v1'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Identity = 'none' | 'guest' | 'user' | 'any' | 'superuser'

/** One call of the API. `answer` is null where the status is 204. */
export interface Route {
  readonly method: Method
  /** Below API_BASE, parameters as `:name`. */
  readonly path: string
  /** Whom it serves; `any` is a guest or a user. */
  readonly identity: Identity
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** How many there are in all stands in `X-Total-Count`. */
  readonly counted?: true
  /** How the body is written; JSON unless said otherwise. */
  readonly encoding?: 'form'
  readonly status: 200 | 201 | 204
  /** Status of a repetition (same Idempotency-Key) that finds what it had changed gone. */
  readonly whenGone?: 204
  readonly answer: z.ZodType | null
  /** How a client reads the answer where it is to bear more than the server promises. */
  readonly read?: z.ZodType
}

const ofWidget = z.strictObject({ id: widgetId })
const ofCheckpoint = z.strictObject({ id: widgetId, checkpoint_id: checkpointId })

export const routes = {
  listWidgets: {
    method: 'GET',
    path: '/widgets',
    identity: 'any',
    summary: "The caller's widgets by display order, each with its checkpoints",
    status: 200,
    answer: z.array(widget),
  },
  createWidget: {
    method: 'POST',
    path: '/widgets',
    identity: 'any',
    summary: 'Adds a widget for an ordered pair of coins',
    body: createWidgetBody,
    status: 201,
    answer: widget,
  },
  updateWidget: {
    method: 'PUT',
    path: '/widgets/:id',
    identity: 'any',
    summary: 'Changes thresholds, notifications and arming',
    params: ofWidget,
    body: updateWidgetBody,
    status: 200,
    whenGone: 204,
    answer: widget,
  },
  deleteWidget: {
    method: 'DELETE',
    path: '/widgets/:id',
    identity: 'any',
    summary: 'Removes a widget and its checkpoints',
    params: ofWidget,
    status: 204,
    answer: null,
  },
  reorderWidgets: {
    method: 'POST',
    path: '/widgets/reorder',
    identity: 'any',
    summary: 'Sets the order within the active and the inactive widgets, or exchanges widgets between them',
    body: reorderWidgetsBody,
    status: 200,
    answer: z.array(widget),
  },

  createCheckpoint: {
    method: 'POST',
    path: '/widgets/:id/checkpoints',
    identity: 'user',
    summary: 'Adds a checkpoint at the end of the list',
    params: ofWidget,
    body: createCheckpointBody,
    status: 201,
    answer: checkpoint,
  },
  updateCheckpoint: {
    method: 'PUT',
    path: '/widgets/:id/checkpoints/:checkpoint_id',
    identity: 'user',
    summary: 'Replaces what a checkpoint holds',
    params: ofCheckpoint,
    body: updateCheckpointBody,
    status: 200,
    whenGone: 204,
    answer: checkpoint,
  },
  deleteCheckpoint: {
    method: 'DELETE',
    path: '/widgets/:id/checkpoints/:checkpoint_id',
    identity: 'user',
    summary: 'Deletes a checkpoint; answers with those that are left',
    params: ofCheckpoint,
    status: 200,
    whenGone: 204,
    answer: z.array(checkpoint),
  },
  deleteCheckpoints: {
    method: 'DELETE',
    path: '/widgets/:id/checkpoints',
    identity: 'user',
    summary: 'Deletes the checkpoints that are named; answers with those that are left',
    params: ofWidget,
    body: deleteCheckpointsBody,
    status: 200,
    whenGone: 204,
    answer: z.array(checkpoint),
  },
  reorderCheckpoints: {
    method: 'POST',
    path: '/widgets/:id/checkpoints/reorder',
    identity: 'user',
    summary: "Sets the order of a widget's checkpoints",
    params: ofWidget,
    body: reorderCheckpointsBody,
    status: 200,
    whenGone: 204,
    answer: z.array(checkpoint),
  },
  setDefaultCheckpoint: {
    method: 'POST',
    path: '/widgets/:id/checkpoints/:checkpoint_id/set-default',
    identity: 'user',
    summary: "Makes a checkpoint the widget's default",
    params: ofCheckpoint,
    status: 200,
    whenGone: 204,
    answer: z.array(checkpoint),
  },
  createAnonymousCheckpoint: {
    method: 'POST',
    path: '/widgets/:id/checkpoints/anonymous',
    identity: 'guest',
    summary: "Saves a guest's only checkpoint, replacing the one there is",
    params: ofWidget,
    body: createCheckpointBody,
    status: 201,
    answer: checkpoint,
  },
  deleteAnonymousCheckpoint: {
    method: 'DELETE',
    path: '/widgets/:id/checkpoints/checkpoint',
    identity: 'guest',
    summary: "Deletes a guest's only checkpoint",
    params: ofWidget,
    status: 204,
    answer: null,
  },

  supportedCoins: {
    method: 'GET',
    path: '/coins/supported',
    identity: 'none',
    summary: 'At most 500 coins by market-cap rank',
    status: 200,
    answer: z.array(coin),
    read: readableCoins,
  },
  historical: {
    method: 'GET',
    path: '/coins/:id/historical',
    identity: 'none',
    summary: "A coin's prices over a period",
    params: z.strictObject({ id: coinId }),
    query: historicalQuery,
    status: 200,
    answer: historical,
    read: readableHistorical,
  },
  readyPairs: {
    method: 'GET',
    path: '/pairs/ready',
    identity: 'none',
    summary: 'Pairs to begin with, each with its ratio and its place within 90 days where those are known',
    status: 200,
    answer: z.array(readyPair),
  },

  tierLimits: {
    method: 'GET',
    path: '/settings/tier-limits',
    identity: 'none',
    summary: 'Limits of the free and the premium tier',
    status: 200,
    answer: tierLimits,
  },
  config: {
    method: 'GET',
    path: '/config',
    identity: 'none',
    summary: 'Public run-time settings',
    status: 200,
    answer: config,
  },

  logIn: {
    method: 'POST',
    path: '/auth/login',
    identity: 'none',
    summary: 'Logs in with email address and password',
    body: loginBody,
    encoding: 'form',
    status: 200,
    answer: tokenAnswer,
  },
  googleCallback: {
    method: 'POST',
    path: '/auth/google/callback',
    identity: 'none',
    summary: "Logs in with Google's authorization code",
    body: googleCallbackBody,
    status: 200,
    answer: tokenAnswer,
  },
  refreshToken: {
    method: 'POST',
    path: '/auth/refresh-token',
    identity: 'none',
    summary: 'Rotates a refresh token',
    body: refreshTokenBody,
    status: 200,
    answer: tokenAnswer,
  },
  logOut: {
    method: 'POST',
    path: '/auth/logout',
    identity: 'none',
    summary: 'Ends the session of a refresh token, whatever has become of it',
    body: refreshTokenBody,
    status: 204,
    answer: null,
  },

  register: {
    method: 'POST',
    path: '/users/register',
    identity: 'none',
    summary: 'Makes an account, and mails a link that verifies its address',
    body: registerBody,
    status: 201,
    answer: registerAnswer,
  },
  resendVerification: {
    method: 'POST',
    path: '/users/resend-verification-email',
    identity: 'none',
    summary: 'Mails another verification link, if there is an unverified account; answers alike in any case',
    body: emailBody,
    status: 200,
    answer: messageAnswer,
  },
  verifyEmail: {
    method: 'POST',
    path: '/users/verify-email',
    identity: 'none',
    summary: 'Verifies the address of an account, for somebody who shows that they chose its password',
    body: verifyEmailBody,
    status: 200,
    answer: verifyEmailAnswer,
  },
  me: {
    method: 'GET',
    path: '/users/me',
    identity: 'user',
    summary: "The caller's account",
    status: 200,
    answer: user,
  },
  deleteMe: {
    method: 'DELETE',
    path: '/users/me',
    identity: 'user',
    summary: 'Schedules the deletion of an account that has a password',
    body: deleteAccountBody,
    status: 200,
    answer: deletionAnswer,
  },
  deleteMeOauth: {
    method: 'POST',
    path: '/users/me/delete-oauth',
    identity: 'user',
    summary: 'Schedules the deletion of an account that has no password',
    body: emptyBody,
    status: 200,
    answer: deletionAnswer,
  },
  acceptPolicies: {
    method: 'POST',
    path: '/users/me/accept-policies',
    identity: 'user',
    summary: 'Accepts the current versions of both policies',
    body: acceptPoliciesBody,
    status: 200,
    answer: user,
  },
  currentPolicies: {
    method: 'GET',
    path: '/policies/current',
    identity: 'none',
    summary: 'Versions and paths of the policies in force',
    status: 200,
    answer: policies,
  },
  feedback: {
    method: 'POST',
    path: '/feedback',
    identity: 'any',
    summary: 'Sends a message to the people behind the app',
    body: feedbackBody,
    status: 201,
    answer: messageAnswer,
  },

  subscribePush: {
    method: 'POST',
    path: '/push/subscribe',
    identity: 'any',
    summary: "Sends the caller's alerts to a browser; one that was known moves to the caller, with new keys",
    body: pushSubscription,
    status: 201,
    whenGone: 204,
    answer: subscribeAnswer,
  },
  unsubscribePush: {
    method: 'DELETE',
    path: '/push/unsubscribe',
    identity: 'any',
    summary: "Sends nothing more to one of the caller's browsers, if it was known at all",
    body: unsubscribeBody,
    status: 204,
    answer: null,
  },

  ...alertRoutes,
  ...passwordRoutes,
  ...passkeyRoutes,
  ...myDataRoutes,
  ...deviceRoutes,
  ...billingRoutes,
  ...adminRoutes,

  resetUserState: {
    method: 'POST',
    path: '/testing/reset-user-state',
    identity: 'any',
    summary: "Removes the caller's widgets and checkpoints; only where testing routes are enabled",
    body: emptyBody,
    status: 204,
    answer: null,
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
