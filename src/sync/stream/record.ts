import { readMeta, writeMeta } from '../../db/database'
import type { OwnerId } from '../../domain/ids'
import type { PollingReason, StreamState } from '../../db/stream-state'
import { writeTransaction } from '../../db/write-transaction'
import type { EngineEnv } from '../env'

type RecordEnv = Pick<EngineEnv, 'db' | 'now'>

const changeRecord = ({ db }: RecordEnv, next: (before: StreamState | undefined) => StreamState): Promise<void> =>
  writeTransaction(db, [db.meta], async () => {
    await writeMeta(db, 'stream', next(await readMeta(db, 'stream')))
  })

/** A stream of this tab is open, and has just said something. */
export const noteHeard = (env: RecordEnv, owner: OwnerId, prices: boolean): Promise<void> =>
  changeRecord(env, (before) => {
    const now = env.now()
    const isSame = before?.kind === 'live' && before.owner === owner && before.prices === prices
    return { kind: 'live', owner, prices, since: isSame ? before.since : now, heard_at: now }
  })

/**
 * No stream is open.
 * @param pollsFrom milliseconds: until then the next stream is waited for; 0: polling begins at once
 */
export const notePolling = (env: RecordEnv, reason: PollingReason, pollsFrom = 0): Promise<void> =>
  changeRecord(env, (before) => ({
    kind: 'polling',
    reason,
    since: before?.kind === 'polling' ? before.since : env.now(),
    heard_at: before?.heard_at ?? null,
    polls_from: pollsFrom,
  }))
