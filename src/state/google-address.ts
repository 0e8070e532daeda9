import type { Config } from '../contract/settings'

/** The app's address to which Google sends its users back, where that is another than this page's; else null. */
export function googleAddress({ redirect_uri }: NonNullable<Config['google']>, origin: string): string | null {
  const back = redirect_uri === undefined ? origin : new URL(redirect_uri).origin
  return back === origin ? null : back
}

/** Said before leaving: Google's own page would refuse, and lead nowhere. */
export const worksOnlyAt = (address: string): string => `Logging in with Google works only at ${address}.`
