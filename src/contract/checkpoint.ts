import * as z from 'zod/mini'
import { makesRatio } from '../domain/coin-prices'
import type { Route } from './route'
import { checkpointId, checkpointIdInList, isoTime, opId, positive, widgetId } from './scalars'

/** US dollars of coin A and coin B, of the tick whose ratio a checkpoint holds. */
const coinPrices = { a: positive, b: positive }

export const checkpoint = z.object({
  id: checkpointId,
  widget_id: widgetId,
  ratio: positive,
  /** Absent: not known. */
  prices: z.optional(z.object(coinPrices)),
  timestamp: z.string(),
  is_default: z.boolean(),
  display_order: z.int().check(z.minimum(0)),
  created_at: z.string(),
  /** Null for a guest's. */
  user_id: z.nullable(z.string()),
  created_by_op: z.nullable(opId),
})
export type Checkpoint = z.infer<typeof checkpoint>

const saved = z.strictObject({
  ratio: positive,
  /** Absent: not known, which is also what an update without them says. */
  prices: z.optional(z.strictObject(coinPrices)),
  timestamp: isoTime,
})
type Saved = Pick<z.infer<typeof saved>, 'ratio' | 'prices'>
const isOfOneTick = ({ ratio, prices }: Saved) => prices === undefined || makesRatio(prices, ratio)
const OF_ANOTHER_TICK = { path: ['prices'], error: 'Must make the ratio: a / b.' }

export const createCheckpointBody = z
  .extend(saved, { is_default: z._default(z.boolean(), true) })
  .check(z.refine(isOfOneTick, OF_ANOTHER_TICK))
const updateCheckpointBody = saved.check(z.refine(isOfOneTick, OF_ANOTHER_TICK))

export type CreateCheckpointBody = z.input<typeof createCheckpointBody>
export type UpdateCheckpointBody = z.infer<typeof updateCheckpointBody>

const ofWidget = z.strictObject({ id: widgetId })
const ofCheckpoint = z.strictObject({ id: widgetId, checkpoint_id: checkpointId })

export const checkpointRoutes = {
  createCheckpoint: {
    method: 'POST',
    path: '/widgets/:id/checkpoints',
    identity: 'user',
    summary: 'Adds a checkpoint at the end of the list',
    revised: true,
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
    revised: true,
    params: ofCheckpoint,
    body: updateCheckpointBody,
    whenGone: 204,
    answer: checkpoint,
  },
  deleteCheckpoint: {
    method: 'DELETE',
    path: '/widgets/:id/checkpoints/:checkpoint_id',
    identity: 'user',
    summary: 'Deletes a checkpoint; answers with those that are left',
    revised: true,
    params: ofCheckpoint,
    whenGone: 204,
    answer: z.array(checkpoint),
  },
  deleteCheckpoints: {
    method: 'DELETE',
    path: '/widgets/:id/checkpoints',
    identity: 'user',
    summary: 'Deletes the checkpoints that are named; answers with those that are left',
    revised: true,
    params: ofWidget,
    body: z.strictObject({ checkpoint_ids: z.array(checkpointIdInList).check(z.maxLength(1000)) }),
    whenGone: 204,
    answer: z.array(checkpoint),
  },
  reorderCheckpoints: {
    method: 'POST',
    path: '/widgets/:id/checkpoints/reorder',
    identity: 'user',
    summary: "Sets the order of a widget's checkpoints",
    revised: true,
    params: ofWidget,
    body: z.strictObject({ ordered_ids: z.array(checkpointIdInList).check(z.maxLength(1000)) }),
    whenGone: 204,
    answer: z.array(checkpoint),
  },
  setDefaultCheckpoint: {
    method: 'POST',
    path: '/widgets/:id/checkpoints/:checkpoint_id/set-default',
    identity: 'user',
    summary: "Makes a checkpoint the widget's default",
    revised: true,
    params: ofCheckpoint,
    whenGone: 204,
    answer: z.array(checkpoint),
  },
  createAnonymousCheckpoint: {
    method: 'POST',
    path: '/widgets/:id/checkpoints/anonymous',
    identity: 'guest',
    summary: "Saves a guest's only checkpoint, replacing the one there is",
    revised: true,
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
    revised: true,
    params: ofWidget,
    status: 204,
    answer: null,
  },
} as const satisfies Record<string, Route>
