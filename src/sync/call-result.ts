import { passkeyChallenge } from '../contract/passkeys'
import type { CallFailure, CallResult } from '../db/call'
import { type Answer, NOT_UNDERSTOOD } from './request'
import { SESSION_EXPIRED } from './send-as'

/** Says that nothing can be sent, or that an answer cannot be used. */
export const failed = (status: number, message: string): CallFailure => ({
  ok: false,
  status,
  error_code: null,
  message,
})

/** Turns an answer into the page's result; `read` picks the part of the value that the page gets. */
function resultOf<T = unknown>(answer: Answer, read: (value: unknown) => T): CallResult<T> {
  return answer.kind === 'ok' ? { ok: true, value: read(answer.value) } : failureOf(answer)
}

/** For calls of which the page gets no more than the outcome. */
export const outcomeOf = (answer: Answer): CallResult<null> => resultOf(answer, () => null)

/** For calls of which the page gets the server's message, and no secret beside it. */
export const messageResult = (answer: Answer): CallResult<{ readonly message: string }> =>
  resultOf(answer, (value) => ({ message: (value as { readonly message: string }).message }))

/** The next step of a sign-in that needs a passkey. */
function challengeIn({ error_code, body }: Extract<Answer, { kind: 'refused' }>): Pick<CallFailure, 'second_factor'> {
  if (error_code !== 'SECOND_FACTOR_REQUIRED') return {}
  const { data } = passkeyChallenge.safeParse(body['second_factor'])
  return data === undefined ? {} : { second_factor: data }
}

export function failureOf(answer: Exclude<Answer, { kind: 'ok' }>): CallFailure {
  switch (answer.kind) {
    case 'refused': {
      const { status, error_code, message, body } = answer
      const email = typeof body['email'] === 'string' ? { email: body['email'] } : {}
      return { ok: false, status, error_code, message, ...email, ...challengeIn(answer) }
    }
    case 'unavailable':
      return { ok: false, status: answer.status, error_code: answer.error_code, message: answer.message }
    case 'unchanged':
      return failed(304, NOT_UNDERSTOOD)
    case 'not-mine':
      return { ok: false, status: 401, error_code: 'UNAUTHENTICATED', message: SESSION_EXPIRED }
  }
}
