import * as z from 'zod'
import { isoTime } from './scalars'

/** A session of the caller: a browser that is signed in. */
export const device = z.object({
  /** Of the session. */
  id: z.uuid(),
  /** Such as "Chrome on Android", from its User-Agent; null: unknown. */
  label: z.string().nullable(),
  signed_in_at: isoTime,
  /** Time of its last refresh, so exact to a quarter of an hour at best. */
  last_seen_at: isoTime,
  /** True: it is told of alerts by push. */
  gets_push: z.boolean(),
  /** True: it is the one that asks. */
  is_current: z.boolean(),
})
export type Device = z.infer<typeof device>
