import * as z from 'zod'
import { checkpointId, checkpointIdInList, isoTime, opId, positive, widgetId } from './scalars'

export const checkpoint = z.object({
  id: checkpointId,
  widget_id: widgetId,
  ratio: positive,
  timestamp: z.string(),
  is_default: z.boolean(),
  display_order: z.int().min(0),
  created_at: z.string(),
  /** Null for a guest's. */
  user_id: z.string().nullable(),
  created_by_op: opId.nullable(),
})
export type Checkpoint = z.infer<typeof checkpoint>

export const createCheckpointBody = z.strictObject({
  ratio: positive,
  timestamp: isoTime,
  is_default: z.boolean().default(true),
})
export const updateCheckpointBody = createCheckpointBody.pick({ ratio: true, timestamp: true })
export const deleteCheckpointsBody = z.strictObject({ checkpoint_ids: z.array(checkpointIdInList).max(1000) })
export const reorderCheckpointsBody = z.strictObject({ ordered_ids: z.array(checkpointIdInList).max(1000) })

export type CreateCheckpointBody = z.input<typeof createCheckpointBody>
export type UpdateCheckpointBody = z.infer<typeof updateCheckpointBody>
