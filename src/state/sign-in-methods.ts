import type * as webAuthn from '@simplewebauthn/browser'
import type { Assertion, Attestation, PasskeyChallenge } from '../contract/web-authn'
import type { Config } from '../contract/settings'
import type { CommandContext } from '../db/command'
import { beginGoogleSignIn } from '../db/google-sign-in'
import type { SignIn } from '../db/sign-in-rows'

/** The app's address to which Google sends its users back, if it differs from this page's; else null. */
export function googleAddress({ redirect_uri }: NonNullable<Config['google']>, origin: string): string | null {
  const back = redirect_uri === undefined ? origin : new URL(redirect_uri).origin
  return back === origin ? null : back
}

/** Shown before leaving: Google's own page would refuse, and lead nowhere. */
export const worksOnlyAt = (address: string): string => `Logging in with Google works only at ${address}.`

/**
 * Leaves for Google's page, from which the user comes back to the errand, or signed in.
 * @param failed the sentence for a page that could not be opened
 * @returns why the browser stays here; null: it leaves
 */
export async function leaveForGoogle(
  commands: CommandContext,
  google: NonNullable<Config['google']>,
  failed: string,
  why?: Pick<SignIn, 'errand' | 'account'>,
): Promise<string | null> {
  const address = googleAddress(google, location.origin)
  if (address !== null) return worksOnlyAt(address)
  try {
    location.assign(await beginGoogleSignIn(commands, google, location.origin, why))
    return null
  } catch (error) {
    reportError(error)
    return failed
  }
}

/** The result of a WebAuthn dialog of the browser; a refusal is a sentence for the user. */
export type Ceremony<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

export const PASSKEYS_UNSUPPORTED = 'This browser does not support passkeys.'

export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in globalThis

type Options = PasskeyChallenge['options']

/** Has the browser make a passkey. */
export const createPasskey = (options: Options): Promise<Ceremony<Attestation>> =>
  ceremony(async ({ startRegistration }) => {
    const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
    return startRegistration({ optionsJSON })
  })

/** Has one of the user's passkeys sign a challenge. */
export const signWithPasskey = (options: Options): Promise<Ceremony<Assertion>> =>
  ceremony(async ({ startAuthentication }) => {
    const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
    return startAuthentication({ optionsJSON })
  })

async function ceremony<T>(run: (library: typeof webAuthn) => Promise<T>): Promise<Ceremony<T>> {
  if (!supportsPasskeys()) return { ok: false, problem: PASSKEYS_UNSUPPORTED }
  try {
    return { ok: true, value: await run(await import('@simplewebauthn/browser')) }
  } catch (error) {
    return { ok: false, problem: problemOf(error) }
  }
}

function problemOf(error: unknown): string {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return 'The passkey was cancelled, or took too long. Please try again.'
    case 'InvalidStateError':
      return 'This device has a passkey for your account already.'
    case 'SecurityError':
      return 'Passkeys do not work at this address of the app.'
    case 'NotSupportedError':
    case 'ConstraintError':
      return 'This device cannot make such a passkey.'
    default:
      reportError(error)
      return 'The passkey could not be used. Please reload the app and try again.'
  }
}
