import * as z from 'zod'

const base64url = (longest: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(longest)

/** A single-use secret that names a challenge on the server. */
export const ticket = z.string().min(1).max(128)

export const passkeyChallenge = z.object({
  ticket,
  /** For the browser's WebAuthn call, in their JSON form (Web Authentication Level 3, 5.1.8 and 5.1.9). */
  options: z.looseObject({ challenge: z.string() }),
})
export type PasskeyChallenge = z.infer<typeof passkeyChallenge>

const credential = {
  id: base64url(1366),
  rawId: base64url(1366),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
}
/** Members that browsers add besides are dropped. */
export const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8192),
    attestationObject: base64url(32_768),
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
})
export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8192),
    authenticatorData: base64url(8192),
    signature: base64url(4096),
    userHandle: base64url(128).optional().catch(undefined),
  }),
})
export type Attestation = z.infer<typeof attestation>
export type Assertion = z.infer<typeof assertion>

/** An answer to a challenge that stands alone. */
export const signedChallenge = z.strictObject({ ticket, assertion })
export type SignedChallenge = z.infer<typeof signedChallenge>
