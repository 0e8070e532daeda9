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

/** Whole hours, rounded up, where seconds would have to be reckoned with. */
const inWords = (seconds: number): string =>
  seconds > 2 * 3600 ? `${Math.ceil(seconds / 3600)} hours` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
