import * as z from 'zod'
import { checkpoint, createCheckpointBody, deleteCheckpointsBody, reorderCheckpointsBody, updateCheckpointBody } from './checkpoint' // prettier-ignore
import { coin, historical, historicalQuery } from './market'
import { checkpointId, coinId, widgetId } from './scalars'
import { refreshTokenBody, tokenAnswer } from './session'
import { config, tierLimits } from './settings'
import { createWidgetBody, reorderWidgetsBody, updateWidgetBody, widget } from './widget'

export const API_BASE = '/api/v1'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Identity = 'none' | 'guest' | 'user' | 'any'

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
  readonly status: 200 | 201 | 204
  /** Status of a repetition (same Idempotency-Key) that finds what it had changed gone. */
  readonly whenGone?: 204
  readonly answer: z.ZodType | null
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
    summary: 'Sets the order within the active and the inactive widgets',
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

  refreshToken: {
    method: 'POST',
    path: '/auth/refresh-token',
    identity: 'none',
    summary: 'Rotates a refresh token',
    body: refreshTokenBody,
    status: 200,
    answer: tokenAnswer,
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
