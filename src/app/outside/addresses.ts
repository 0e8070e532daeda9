/** Addresses whose screens stand outside the shell. */
export const OUTSIDE: readonly string[] = [
  '/login',
  '/register',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/auth/google/callback',
  '/checkout-success',
  '/checkout-canceled',
]

export const isOutside = (path: string): boolean => OUTSIDE.includes(path)
