import * as z from 'zod'
import { coinId } from './scalars'

/** A pair that is offered to somebody who has none, with what is known of it; null: not known, or not of late. */
export const readyPair = z.object({
  coin_a_id: coinId,
  coin_b_id: coinId,
  ratio: z.number().nullable(),
  /** Its place within 90 days. */
  place: z
    .object({
      days: z.int(),
      below: z.int(),
      low: z.number(),
      median: z.number(),
      high: z.number(),
    })
    .nullable(),
})
export type ReadyPairAnswer = z.infer<typeof readyPair>
