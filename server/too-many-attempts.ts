import { ApiError } from './api-error'

/** A limit that holds for an account rather than an address; the answer says when to come again (`Retry-After`). */
export class TooManyAttempts extends ApiError {
  /** Whole seconds, at least one. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('RATE_LIMITED', `Too many attempts. Please try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`) // prettier-ignore
    this.retryAfter = retryAfter
  }
}
