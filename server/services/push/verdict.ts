import { DAY } from '../../../src/domain/granularity'
import { parseRetryAfter } from '../../../src/domain/retry-after'
import type { PushAnswer } from '../../adapters/push/push-sender'

/** What a push service's answer means (RFC 8030; statuses beside it are those that vendors document). */
export type Verdict =
  | { readonly kind: 'sent' }
  /** The subscription is over. */
  | { readonly kind: 'gone' }
  /** The push service does not take this subscription's messages from us, such as after a change of our keys. */
  | { readonly kind: 'refused' }
  /** Not this message, and trying again would not help. */
  | { readonly kind: 'undeliverable' }
  /** Milliseconds that the push service asks us to be silent for; null: it does not say. */
  | { readonly kind: 'later'; readonly pause: number | null }

/** Longer than anything is worth telling, so that a push service which asks for more is asked once a day. */
const LONGEST_SILENCE = DAY

/** @param now milliseconds since 1970 */
export function verdictOn(answer: PushAnswer, now: number): Verdict {
  switch (answer.kind) {
    case 'impossible':
      return { kind: 'undeliverable' }
    case 'unanswered':
      return { kind: 'later', pause: null }
    case 'answered':
      return verdictOnStatus(answer.status, parseRetryAfter(answer.retryAfter, now))
  }
}

function verdictOnStatus(status: number, retryAfter: number | null): Verdict {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 403) return { kind: 'refused' }
  // 406 is how one vendor says 429. A redirect is not followed, and is no word of the push service about the message.
  const passes = status < 400 || status === 406 || status === 429 || status >= 500
  if (!passes) return { kind: 'undeliverable' }
  return { kind: 'later', pause: retryAfter === null ? null : Math.min(retryAfter, LONGEST_SILENCE) }
}
