import { readMeta } from '../db/database'
import { isStreamAwaited } from '../db/stream-state'
import { HOUR } from '../domain/granularity'
import type { EngineEnv } from './env'

/**
 * Milliseconds that settings and policies hold while a stream says when they change: beside a server process of another
 * version, which may have answered the last request, the stream's word alone is not enough.
 */
export const AGE_WHILE_FOLLOWED = 6 * HOUR

/** True while a stream says what has changed for the present owner, or is being opened anew: nothing is polled. */
export async function isFollowed({ db, now }: Pick<EngineEnv, 'db' | 'now'>): Promise<boolean> {
  const [session, stream] = await Promise.all([db.session.get('current'), readMeta(db, 'stream')])
  return session !== undefined && isStreamAwaited(stream, session.owner, now())
}
