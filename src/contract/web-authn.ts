import * as z from 'zod/mini'

const base64url = (longest: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(longest))

/** A single-use secret that names a challenge on the server. */
export const ticket = z.string().check(z.minLength(1), z.maxLength(128))

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
  authenticatorAttachment: z.catch(z.optional(z.enum(['platform', 'cross-platform'])), undefined),
}
/** Members that browsers add besides are dropped. */
export const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8192),
    attestationObject: base64url(32_768),
    transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
  }),
})
export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8192),
    authenticatorData: base64url(8192),
    signature: base64url(4096),
    userHandle: z.catch(z.optional(base64url(128)), undefined),
  }),
})
export type Attestation = z.infer<typeof attestation>
export type Assertion = z.infer<typeof assertion>

/** An answer to a challenge that stands alone. */
export const signedChallenge = z.strictObject({ ticket, assertion })
export type SignedChallenge = z.infer<typeof signedChallenge>
