/** To whom an access token was given, and by which sign-in. */
export interface Bearer {
  readonly userId: string
  readonly sessionId: string
  /** Hash of the refresh token that was given with it; absent: unknown. */
  readonly refreshHash?: string | undefined
}

/** The caller of a route. A guest is known by the hash of the anonymous id alone; the id itself goes nowhere. */
export type Caller = { readonly kind: 'guest'; readonly anonymousHash: string } | (Bearer & { readonly kind: 'user' })
