import type { Env } from '../../env'

/** The site that passkeys belong to (Web Authentication Level 3, 4 "Relying Party"): PUBLIC_URL's host and origin. */
export function relyingParty({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): {
  readonly id: string
  readonly origin: string
} {
  const { hostname, origin } = new URL(PUBLIC_URL)
  return { id: hostname, origin }
}
