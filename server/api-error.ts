import { ERROR_STATUS, type ErrorCode } from '../src/contract/errors'

/** A refusal that the caller is told of, in the API's error format. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  /** Further members of the answer's body. */
  readonly extra: Readonly<Record<string, unknown>>

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
