import type { Attestation } from '../../../src/contract/web-authn'
import type { ServiceDeps } from '../service-deps'
import { type PasskeyRow, refusedPasskey, relyingParty, webAuthn } from './passkeys'

/** Demands on a passkey that stands beside a password or Google: a security key without a PIN is proof enough. */
export const BESIDE = { residentKey: 'preferred', userVerification: 'preferred' } as const
/** On one that opens an account alone: the browser finds it without an address, and it asks who its user is. */
export const ALONE = { residentKey: 'required', userVerification: 'required' } as const

export const TOO_WEAK = 'This passkey does not ask who you are, by a PIN, a finger or a face. Please use another.'

interface MadePasskey {
  readonly credential: Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports'>
  /** It has checked a PIN, a finger or a face. */
  readonly asksWhoYouAre: boolean
}

/**
 * Checks the passkey that a browser has made over a challenge.
 * @throws ApiError SECOND_FACTOR_REFUSED
 */
export async function verifyAttestation(
  { env, logger }: Pick<ServiceDeps, 'env' | 'logger'>,
  { authenticatorAttachment, response, ...rest }: Attestation,
  expectedChallenge: string,
): Promise<MadePasskey> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(env)
  const { transports = [], ...signed } = response
  const { verifyRegistrationResponse } = await webAuthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...rest,
      response: { ...signed, transports },
      ...(authenticatorAttachment !== undefined && { authenticatorAttachment }),
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: false,
  }).catch((error: unknown) => {
    logger?.info({ err: error }, 'a new passkey was refused')
    throw refusedPasskey()
  })
  if (!verified) throw refusedPasskey()
  const { credential, userVerified } = registrationInfo
  const { id, publicKey, counter } = credential
  const public_key = Buffer.from(publicKey).toString('base64url')
  return { credential: { credential_id: id, public_key, counter, transports }, asksWhoYouAre: userVerified }
}
