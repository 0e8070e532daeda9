import * as z from 'zod'
import type { Policies } from '../../contract/settings'
import type { CallFailure, CallResult } from '../../db/call'
import { readMeta, writeMeta } from '../../db/database'
import { storeMeta, writeTransaction } from '../../db/write-transaction'
import { type Answer, exchange, type RawAnswer, readAnswer, send, unanswered } from '../request'
import { failureOf, outcomeOf } from '../call-result'
import type { EngineEnv } from '../env'

/** Asks which policies are in force. */
export async function loadVersions(env: EngineEnv): Promise<Answer> {
  const answer = await send(env, { route: 'currentPolicies' }, {})
  if (answer.kind === 'ok') {
    await storeMeta(env.db, 'policies', { policies: answer.value as Policies, fetched_at: env.now() })
  }
  return answer
}

const NOT_RETRIEVED = 'Could not retrieve policy data.'

/**
 * Asks with a sign-in which policies are in force, so that no user is let in by versions of long ago. Null: the sign-in
 * can go on, if need be with the versions stored before, which the engine then asks for again soon.
 */
export async function versionsForSignIn(env: EngineEnv): Promise<CallFailure | null> {
  const answer = await loadVersions(env)
  if (answer.kind === 'ok') return null
  const known = await readMeta(env.db, 'policies')
  if (known !== undefined) {
    await storeMeta(env.db, 'policies', { ...known, fetched_at: 0 })
    return null
  }
  const failure = failureOf(answer)
  return failure.status === 0 ? failure : { ...failure, message: NOT_RETRIEVED }
}

/** Loads the policies in force, and the texts of those whose version is not stored yet. */
export async function loadPolicies(env: EngineEnv): Promise<CallResult<null>> {
  const answer = await loadVersions(env)
  if (answer.kind !== 'ok') return outcomeOf(answer)
  const policies = answer.value as Policies
  const [terms, privacy] = await Promise.all([loadText(env, policies, 'terms'), loadText(env, policies, 'privacy')])
  return terms.ok ? privacy : terms
}

/** Only plain text is the policy: a captive portal answers every request with 200. */
function readText(raw: RawAnswer, now: number): Answer {
  const isText = raw.status === 200 && raw.header('content-type')?.startsWith('text/plain') === true
  return isText ? { kind: 'ok', value: raw.text, etag: null } : readAnswer({ answer: z.never() }, raw, now)
}

async function loadText(env: EngineEnv, policies: Policies, kind: keyof Policies): Promise<CallResult<null>> {
  const { db, origin, now } = env
  const { version, path } = policies[kind]
  if ((await readMeta(db, 'policy_texts'))?.[kind]?.version === version) return { ok: true, value: null }
  const request = exchange(env, new URL(path, origin).href, { headers: { Accept: 'text/plain' } })
  const answer = await request.then((raw) => readText(raw, now()), unanswered)
  if (answer.kind === 'ok') {
    await writeTransaction(db, [db.meta], async () => {
      const texts = (await readMeta(db, 'policy_texts')) ?? {}
      await writeMeta(db, 'policy_texts', { ...texts, [kind]: { version, text: answer.value as string } })
    })
  }
  return outcomeOf(answer)
}
