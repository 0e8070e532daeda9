import { passkeyChallenge } from '../../contract/passkeys'
import type { AccountResult, AskFailure } from '../../db/account-request'
import type { Answer } from '../answer'
import { SESSION_EXPIRED } from '../send-as'

/** The message of an answer, where it has one. */
const messageOf = (value: unknown): string | null => {
  const { message } = (value ?? {}) as { readonly message?: unknown }
  return typeof message === 'string' ? message : null
}

/** What an answer means to a person who waits for it. */
export function resultOf(answer: Answer): AccountResult {
  switch (answer.kind) {
    case 'ok':
      return { ok: true, message: messageOf(answer.value) }
    case 'unchanged':
      return { ok: true, message: null }
    default:
      return failureOf(answer)
  }
}

/** The next step of a sign-in that needs a passkey. */
function challengeIn({ error_code, body }: Extract<Answer, { kind: 'refused' }>): Pick<AskFailure, 'second_factor'> {
  if (error_code !== 'SECOND_FACTOR_REQUIRED') return {}
  const { data } = passkeyChallenge.safeParse(body['second_factor'])
  return data === undefined ? {} : { second_factor: data }
}

/** Why a call came to nothing, to a person who waits for it. */
export function failureOf(answer: Exclude<Answer, { kind: 'ok' | 'unchanged' }>): AskFailure {
  switch (answer.kind) {
    case 'refused': {
      const { status, error_code, message, body } = answer
      const { email } = body
      return { ok: false, status, error_code, message, ...(typeof email === 'string' && { email }), ...challengeIn(answer) } // prettier-ignore
    }
    case 'unavailable':
      return { ok: false, status: answer.status, error_code: answer.error_code, message: answer.message }
    case 'not-mine':
      return { ok: false, status: 401, error_code: 'UNAUTHENTICATED', message: SESSION_EXPIRED }
  }
}
