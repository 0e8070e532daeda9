import type { Coin } from '../contract/market'
import { DAY } from '../domain/granularity'
import { readMeta } from '../db/queries/meta'
import { claimWork, isSpaced } from './pacing'
import type { EngineEnv } from './env'
import { report } from './report'
import { send } from './request'
import { storeMeta } from '../db/write-transaction'

/** Milliseconds that the coin list holds, and between two attempts to get one. */
const COINS_AGE = DAY
const COINS_SPACING = 30_000
const FIRST_COINS_SPACING = 2_000

/** Loads the list of coins where there is none or it is older than a day. */
export async function syncCoins(env: EngineEnv): Promise<void> {
  const { db, now } = env
  const known = await readMeta(db, 'coins')
  if (!isSpaced(known?.fetched_at, COINS_AGE, now())) return
  if (!(await claimWork(env, 'coins', known === undefined ? FIRST_COINS_SPACING : COINS_SPACING))) return

  const answer = await send(env, { route: 'supportedCoins', etag: known?.etag ?? null }, {})
  switch (answer.kind) {
    case 'ok':
      await storeMeta(db, 'coins', { coins: answer.value as Coin[], fetched_at: now(), etag: answer.etag })
      return report(env, 'coins', { kind: 'ok' })
    case 'unchanged':
      if (known !== undefined) await storeMeta(db, 'coins', { ...known, fetched_at: now() })
      return report(env, 'coins', { kind: 'ok' })
    case 'refused':
    case 'unavailable': {
      const sentence = `Failed to load supported coins: ${answer.message}`
      return report(env, 'coins', { kind: 'failed', status: answer.status, sentence })
    }
    case 'not-mine':
      return
  }
}
