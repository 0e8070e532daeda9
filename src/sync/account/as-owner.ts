import type { SessionRow } from '../../db/rows'
import type { Answer } from '../answer'
import type { EngineEnv } from '../env'
import type { Call } from '../request'
import { sendAs } from '../send-as'

export interface OwnersAnswer {
  /** Who asked; null: this browser has no identity yet. */
  readonly owner: SessionRow['owner'] | null
  readonly answer: Answer
}

/** Sends a call as whoever uses this browser when it is asked for. */
export async function asOwner(env: EngineEnv, call: Call): Promise<OwnersAnswer> {
  const session = await env.db.session.get('current')
  if (session === undefined) return { owner: null, answer: { kind: 'not-mine' } }
  return { owner: session.owner, answer: await sendAs(env, session.owner, call) }
}
