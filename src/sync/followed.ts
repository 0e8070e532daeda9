import { readMeta } from '../db/database'
import { isStreamAwaited } from '../db/stream-state'
import type { EngineEnv } from './env'

/** True while a stream says what has changed for the present owner, or is being opened anew: nothing is polled. */
export async function isFollowed({ db, now }: Pick<EngineEnv, 'db' | 'now'>): Promise<boolean> {
  const [session, stream] = await Promise.all([db.session.get('current'), readMeta(db, 'stream')])
  return session !== undefined && isStreamAwaited(stream, session.owner, now())
}
