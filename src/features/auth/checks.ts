/** One @ with something before it, and a name with a dot after it; the server looks closer. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/

export const INVALID_EMAIL = 'Enter a valid email address.'

/**
 * Fault of an email address, as a sentence; undefined: none. The browser has taken white space off its ends.
 * @param missing what to say of none
 */
export function emailProblem(email: string, missing = 'Email is required.'): string | undefined {
  if (email === '') return missing
  return ADDRESS.test(email) ? undefined : INVALID_EMAIL
}
