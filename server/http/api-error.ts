import { ERROR_STATUS, type ErrorCode } from '../../src/contract/errors'

/** A refusal, answered in the API's error format. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  /** Further members of the answer's body. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Whole seconds after which to come again (`Retry-After`). */
  readonly retryAfter?: number

  /** @param detail a sentence for people */
  constructor(code: ErrorCode, detail: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(detail)
    this.code = code
    this.extra = extra
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/**
 * The request names another host than ours, or comes from a page of another site. No verdict on any row, so that clients keep
 * their changes while a proxy before us is set up wrongly.
 */
export class ForeignRequest extends ApiError {
  readonly #header: 'Host' | 'Origin'

  constructor(header: 'Host' | 'Origin') {
    super(
      'NO_SUCH_ROUTE',
      `No answer to this ${header}: the server's PUBLIC_URL and ALLOWED_HOSTS say to which there are.`,
    )
    this.#header = header
  }

  override get status(): number {
    return this.#header === 'Host' ? 421 : 403
  }
}

/** A limit that holds for an address; the answer says when to come again. */
export class TooManyRequests extends ApiError {
  override readonly retryAfter: number

  constructor(retryAfter: number, what = 'requests') {
    super('RATE_LIMITED', `Too many ${what}. Please try again in ${inWords(retryAfter)}.`)
    this.retryAfter = retryAfter
  }
}

/** A limit that holds for an account rather than an address. */
export class TooManyAttempts extends TooManyRequests {
  constructor(retryAfter: number) {
    super(retryAfter, 'attempts')
  }
}

/** This process takes no further stream at the moment; without one the app polls. */
export class StreamUnavailable extends ApiError {
  override readonly retryAfter: number

  constructor(retryAfter: number) {
    super('STREAM_UNAVAILABLE', 'No stream can be opened at the moment.')
    this.retryAfter = retryAfter
  }
}

/** Rounded up to whole minutes above two minutes, and to whole hours above two hours. */
function inWords(seconds: number): string {
  if (seconds > 2 * 3600) return `${Math.ceil(seconds / 3600)} hours`
  if (seconds > 2 * 60) return `${Math.ceil(seconds / 60)} minutes`
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
}
