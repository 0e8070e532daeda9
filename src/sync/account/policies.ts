import * as z from 'zod'
import type { Policies } from '../../contract/settings'
import type { CallFailure, CallResult } from '../../db/call'
import { readMeta, writeMeta } from '../../db/queries/meta'
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
 * Asks with a sign-in which policies are in force, so that nobody is let in by versions of long ago. Returns null where the
 * sign-in can go on: with versions known from before, which are asked for again soon, also where these cannot be had now.
 */
export async function versionsForSignIn(env: EngineEnv): Promise<CallFailure | null> {
  const answer = await loadVersions(env)
  if (answer.kind === 'ok') return null
  const known = await readMeta(env.db, 'policies')
  if (known === undefined) {
    const why = failureOf(answer)
    return why.status === 0 ? why : { ...why, message: NOT_RETRIEVED }
  }
  await storeMeta(env.db, 'policies', { ...known, fetched_at: 0 })
  return null
}

/** Loads the policies in force, and the texts of those whose version is not stored yet. */
export async function loadPolicies(env: EngineEnv): Promise<CallResult<null>> {
  const answer = await loadVersions(env)
  if (answer.kind !== 'ok') return outcomeOf(answer)
  const policies = answer.value as Policies
  const [terms, privacy] = await Promise.all([loadText(env, policies, 'terms'), loadText(env, policies, 'privacy')])
  return terms.ok ? privacy : terms
}

/** Anything else than plain text is not the policy, whatever its status: a captive portal answers everything. */
function readText(raw: RawAnswer, now: number): Answer {
  const isText = raw.status === 200 && raw.header('content-type')?.startsWith('text/plain') === true
  return isText ? { kind: 'ok', value: raw.text, etag: null } : readAnswer({ answer: z.never() }, raw, now)
}

async function loadText(env: EngineEnv, policies: Policies, kind: keyof Policies): Promise<CallResult<null>> {
  const { db, origin } = env
  const { version, path } = policies[kind]
  if ((await readMeta(db, 'policy_texts'))?.[kind]?.version === version) return { ok: true, value: null }
  const answer = await exchange(env, new URL(path, origin).href, { headers: { Accept: 'text/plain' } }).then(
    (raw) => readText(raw, env.now()),
    unanswered,
  )
  if (answer.kind === 'ok') {
    const text = answer.value as string
    await writeTransaction(db, [db.meta], async () => {
      const texts = (await readMeta(db, 'policy_texts')) ?? {}
      await writeMeta(db, 'policy_texts', { ...texts, [kind]: { version, text } })
    })
  }
  return outcomeOf(answer)
}
