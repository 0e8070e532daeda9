import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './account'

/** Problems of a password that a user chooses, and of its repetition. */
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
