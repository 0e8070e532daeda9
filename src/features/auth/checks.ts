import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../domain/account'

/** One @ with something before it, and a name with a dot after it; the server looks closer. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/

export const INVALID_EMAIL = 'Enter a valid email address.'

/**
 * What is wrong with an e-mail address; undefined: nothing. The browser has taken white space off its ends.
 * @param missing what to say of none
 */
export function emailProblem(email: string, missing = 'Email is required.'): string | undefined {
  if (email === '') return missing
  return ADDRESS.test(email) ? undefined : INVALID_EMAIL
}

/** What is wrong with a password that somebody chooses, and with its repetition. */
export function passwordProblems(password: string, confirmation: string) {
  return {
    password: lengthProblem(password),
    confirmation: password === confirmation ? undefined : 'Passwords do not match.',
  }
}

function lengthProblem(password: string): string | undefined {
  if (password.length < SHORTEST_PASSWORD) return `Password must be at least ${SHORTEST_PASSWORD} characters long.`
  if (password.length > LONGEST_PASSWORD) return `Password must be at most ${LONGEST_PASSWORD} characters long.`
  return undefined
}
