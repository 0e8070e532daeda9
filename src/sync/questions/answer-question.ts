import type { Question, QuestionKind, QuestionOf, Reply } from '../../db/question'
import { tellPushAgain } from '../../db/push-book'
import type { SessionRow } from '../../db/rows'
import { asPresent } from '../account/as-owner'
import { failureOf } from '../account/result'
import { noteProviderVisit } from '../account/provider-visit'
import { reloadUser } from '../account/user'
import { NOT_UNDERSTOOD } from '../answer'
import type { EngineEnv } from '../env'
import { QUESTIONS } from './questions'

/** Asks the server as whoever uses this browser; what it says goes to whoever asked, and nowhere else. */
export async function answerQuestion<K extends QuestionKind>(
  env: EngineEnv,
  question: QuestionOf<K>,
): Promise<Reply<K>> {
  const { call, told } = QUESTIONS[question.kind]
  const { session, answer } = await asPresent(env, call(question))
  switch (answer.kind) {
    case 'ok':
      if (changesTierOf(session, question) || CHANGES_SIGN_IN.includes(question.kind)) await reloadUser(env)
      if (LEADS_TO_PROVIDER.includes(question.kind) && session !== null) await noteProviderVisit(env, session.owner)
      // The server may have had this browser's notifications without a session.
      if (question.kind === 'end-other-sessions' && session !== null) await tellPushAgain(env.db, session.owner)
      return { ok: true, value: told(answer.value, answer.total) }
    case 'unchanged':
      return { ok: false, status: 304, error_code: null, message: NOT_UNDERSTOOD }
    default:
      return failureOf(answer)
  }
}

const LEADS_TO_PROVIDER: readonly QuestionKind[] = ['open-checkout', 'open-portal']

/** Changes of how the user signs in, which the account itself says. */
const CHANGES_SIGN_IN: readonly QuestionKind[] = ['add-passkey', 'remove-passkey', 'unlink-google']

/** An operator may grant themselves what they grant others: it shows here at once. */
const changesTierOf = (session: SessionRow | null, question: Question): boolean =>
  (question.kind === 'grant-premium' || question.kind === 'revoke-premium') && question.user === session?.owner
