import type { Historical } from '../../../../src/contract/market'
import { jsonBody, type KeptBody } from '../../../http/kept-body'

export interface ServedHistory {
  /** Bytes rather than points: many histories are kept, and points take twice as much memory. */
  readonly body: KeptBody
  /** False where the provider could not be asked for all of it, so that asking again soon may bring more. */
  readonly complete: boolean
  /** The contents of `body`, read anew each time. */
  readonly answer: Historical
}

export function servedHistory(answer: Historical, complete: boolean): ServedHistory {
  const body = jsonBody(answer)
  return {
    body,
    complete,
    get answer() {
      return JSON.parse(body.bytes.toString()) as Historical
    },
  }
}
