/** Addresses whose screens stand outside the shell. */
const OUTSIDE = new Set([
  '/login',
  '/register',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/auth/google/callback',
  '/checkout-success',
  '/checkout-canceled',
])

export const isOutside = (path: string): boolean => OUTSIDE.has(path)
