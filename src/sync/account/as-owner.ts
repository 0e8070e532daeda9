import type { SessionRow } from '../../db/rows'
import type { OwnerId } from '../../domain/ids'
import type { Answer } from '../answer'
import type { EngineEnv } from '../env'
import type { Call } from '../request'
import { sendAs } from '../send-as'

export interface OwnersAnswer {
  /** As it was when it was asked; null: it is not theirs, and nothing was sent. */
  readonly session: SessionRow | null
  readonly answer: Answer
}

/** Sends a call as whoever uses this browser when it is asked for. */
export async function asPresent(env: EngineEnv, call: Call): Promise<OwnersAnswer> {
  const session = await env.db.session.get('current')
  return session === undefined ? NOBODY : { session, answer: await sendAs(env, session.owner, call) }
}

/** Sends a call as `owner`, or not at all. */
export async function asOwner(env: EngineEnv, owner: OwnerId, call: Call): Promise<OwnersAnswer> {
  const session = await env.db.session.get('current')
  return session?.owner === owner ? { session, answer: await sendAs(env, owner, call) } : NOBODY
}

const NOBODY: OwnersAnswer = { session: null, answer: { kind: 'not-mine' } }
