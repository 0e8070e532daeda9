import { ApiError } from './api-error'

/** A limit that holds for an account rather than an address; the answer says when to come again (`Retry-After`). */
export class TooManyAttempts extends ApiError {
  /** Whole seconds, at least one. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('RATE_LIMITED', `Too many attempts. Please try again in ${inWords(retryAfter)}.`)
    this.retryAfter = retryAfter
  }
}

/** Rounded up to whole minutes above two minutes, and to whole hours above two hours. */
function inWords(seconds: number): string {
  if (seconds > 2 * 3600) return `${Math.ceil(seconds / 3600)} hours`
  if (seconds > 2 * 60) return `${Math.ceil(seconds / 60)} minutes`
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
}
