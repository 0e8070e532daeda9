import { passkeyChallenge } from '../contract/web-authn'
import type { CallFailure, CallInput, CallResult, CallRoute, CallValue } from '../db/call'
import type { EngineEnv } from './env'
import { type Answer, NOT_UNDERSTOOD, SESSION_EXPIRED } from './request'

/** Performs one of the page's calls. */
export type PerformCall<R extends CallRoute> = (
  env: EngineEnv,
  input: CallInput<R>,
) => Promise<CallResult<CallValue<R>>>

/** Nothing can be sent, or an answer cannot be used. */
export const failed = (status: number, message: string): CallFailure => ({
  ok: false,
  status,
  error_code: null,
  message,
})

/** For calls of which the page gets no more than the outcome. */
export const outcomeOf = (answer: Answer): CallResult<null> =>
  answer.kind === 'ok' ? { ok: true, value: null } : failureOf(answer)

/** For calls of which the page gets the server's message, and no secret beside it. */
export function messageResult(answer: Answer): CallResult<{ readonly message: string }> {
  if (answer.kind !== 'ok') return failureOf(answer)
  const { message } = answer.value as { readonly message: string }
  return { ok: true, value: { message } }
}

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
      return { ...failed(answer.status, answer.message), error_code: answer.error_code }
    case 'unchanged':
      return failed(304, NOT_UNDERSTOOD)
    case 'not-mine':
      return { ...failed(401, SESSION_EXPIRED), error_code: 'UNAUTHENTICATED' }
  }
}
