import { settle } from '../db/answers/settle'
import { backoff } from './backoff'
import { classify } from './classify'
import type { EngineEnv } from './env'
import { leaseNext, type Leased, takeOverLeases } from './outbox-lease'
import { sendAs } from './send-as'

/** Requests under way at once. */
export const MAX_LANES = 6

/** Lets whoever drains look again at once, because something new may be there to send. */
export interface Bell {
  /** Resolves at the next ring. */
  readonly next: () => Promise<void>
}

/**
 * Sends what waits, until nothing is due: entries of one widget in their order, different widgets side by side. One
 * drain at a time over all tabs and the service worker; the lock is held until every lane has ended.
 */
export async function drain(env: EngineEnv, bell?: Bell): Promise<void> {
  await env.locks.request('outbox-drain', async () => {
    await takeOverLeases(env)
    const lanes = new Set<Promise<void>>()
    const failures: unknown[] = []
    const start = (leased: Leased): void => {
      const lane = carry(env, leased)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => lanes.delete(lane))
      lanes.add(lane)
    }
    for (;;) {
      while (failures.length === 0 && lanes.size < MAX_LANES) {
        const leased = await leaseNext(env).catch((error: unknown) => void failures.push(error))
        if (leased === undefined) break
        start(leased)
      }
      if (lanes.size === 0) break
      await Promise.race([...lanes, ...(bell === undefined ? [] : [bell.next()])])
    }
    // Storage failed (full, or closed under us): the leases stay and are taken over by the next drain.
    if (failures.length > 0) throw failures[0]
  })
}

/** One entry's way: request, verdict, and home. */
async function carry(env: EngineEnv, { entry, request }: Leased): Promise<void> {
  const answer = await sendAs(env, entry.owner, { ...request, key: entry.op_id })
  const wait = (failures: number, retryAfter: number | null): number => backoff(failures, retryAfter, env.random())
  await settle({ db: env.db, now: env.now(), wait }, entry, classify(entry, answer))
}
