import * as z from 'zod'

/** A text that users accept; whoever accepted another version is asked again. `path` is where the plain text is to be had. */
export const policy = z.object({ version: z.string(), path: z.string() })
export const policies = z.object({ terms: policy, privacy: policy })
export type Policies = z.infer<typeof policies>
