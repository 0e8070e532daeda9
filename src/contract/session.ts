import * as z from 'zod'

export const user = z.object({
  id: z.uuid(),
  email: z.string(),
  has_premium_access: z.boolean(),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
  has_password: z.boolean(),
  created_at: z.string(),
  accepted_terms_version: z.string().nullable(),
  accepted_terms_at: z.string().nullable(),
  accepted_privacy_version: z.string().nullable(),
  accepted_privacy_at: z.string().nullable(),
  deletion_scheduled_at: z.string().nullable(),
})
export type User = z.infer<typeof user>

export const refreshTokenBody = z.strictObject({ refresh_token: z.string().min(1).max(1024) })
export const tokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.int(),
  user: user.optional(),
})
