import { readMeta, writeMeta } from '../db/database'
import { mainProblem } from '../db/main-problem'
import type { MetaRows, Topic } from '../db/rows'
import { changeMeta, writeTransaction } from '../db/write-transaction'
import type { EngineEnv } from './env'

export type Report =
  | { readonly kind: 'ok' }
  /** `status` 0: nothing answered. Being offline is no problem, and leaves the reported ones as they are. */
  | {
      readonly kind: 'failed'
      readonly status: number
      readonly sentence: string
      /** The screen shows the sentence by itself: no notice repeats it. */
      readonly isShown?: boolean
    }

type SyncState = MetaRows['sync_state']

const EMPTY: SyncState = {
  last_success_at: null,
  last_failure_at: null,
  problem: null,
  problems: {},
  unreachable_since: null,
}

const withProblem = (state: SyncState, topic: Topic, sentence: string | null): SyncState => {
  const problems: Partial<Record<Topic, string>> = { ...state.problems }
  if (sentence === null) delete problems[topic]
  else problems[topic] = sentence
  const { [topic]: _answered, ...unanswered } = state.unanswered ?? {}
  return { ...state, problems, unanswered, problem: mainProblem(problems) }
}

/** Stores the state of a topic. A new problem makes one notice, not one with every attempt. */
export async function report(env: EngineEnv, topic: Topic, result: Report): Promise<void> {
  const { db, now } = env
  await writeTransaction(db, [db.session, db.notices, db.meta], async () => {
    const state = (await readMeta(db, 'sync_state')) ?? EMPTY
    const write = (next: SyncState): Promise<void> => writeMeta(db, 'sync_state', next)
    if (result.kind === 'ok') return write({ ...withProblem(state, topic, null), last_success_at: now() })
    const failed = { ...state, last_failure_at: now() }
    if (result.status === 0) return write({ ...failed, unanswered: { ...state.unanswered, [topic]: true } })
    await write(withProblem(failed, topic, result.sentence))
    const session = await db.session.get('current')
    if (session === undefined || result.isShown === true || state.problems[topic] === result.sentence) return
    await db.notices.add({ owner: session.owner, kind: 'error', message: result.sentence, at: now() })
  })
}

/** Ends the problem of a topic without an answer of the server; writes nothing if there is none. */
export async function endProblem({ db }: EngineEnv, topic: Topic): Promise<void> {
  await changeMeta(db, 'sync_state', (state = EMPTY) =>
    state.problems[topic] === undefined ? null : withProblem(state, topic, null),
  )
}

/** Runs `work` and stores whether anything answered its requests. */
export async function withReach<T>(env: EngineEnv, work: (heard: EngineEnv) => Promise<T>): Promise<T> {
  let answered: boolean | null = null
  const heard = (any: boolean): void => {
    answered = answered === true || any
  }
  try {
    return await work({ ...env, heard })
  } finally {
    const { db, now } = env
    if (answered !== null)
      await changeMeta(db, 'sync_state', (state = EMPTY) => {
        const since = answered === true ? null : (state.unreachable_since ?? now())
        return since === state.unreachable_since ? null : { ...state, unreachable_since: since }
      })
  }
}
