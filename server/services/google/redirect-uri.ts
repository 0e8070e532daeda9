/** The only address to which Google may send anybody back. */
export const redirectUriOf = (publicUrl: string): string => `${publicUrl}/auth/google/callback`
