import type { SessionRow } from '../../db/rows'
import type { Answer } from '../answer'
import type { EngineEnv } from '../env'
import type { Call } from '../request'
import { sendAs } from '../send-as'

export interface OwnersAnswer {
  /** As it was when it was asked; null: this browser has no identity yet. */
  readonly session: SessionRow | null
  readonly answer: Answer
}

/** Sends a call as whoever uses this browser when it is asked for. */
export async function asOwner(env: EngineEnv, call: Call): Promise<OwnersAnswer> {
  const session = await env.db.session.get('current')
  if (session === undefined) return { session: null, answer: { kind: 'not-mine' } }
  return { session, answer: await sendAs(env, session.owner, call) }
}
