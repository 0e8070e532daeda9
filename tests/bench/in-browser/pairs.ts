import { wrap } from 'comlink'
import { LocalDatabase } from '../../../src/db/database'
import { encodeDailyMatrix, utcDayOf } from '../../../src/domain/daily-matrix'
import type { WorkerApi } from '../../../workers/api'
import { dailyMatrix } from './daily-market'

/** Milliseconds of each round. */
export interface PairTimes {
  readonly ours: number[]
  readonly library: number[]
}

/** Has a worker compute the statistics of all pairs of a hundred coins, and simple-statistics those of some of them. */
export const racePairs = (rounds: number): Promise<PairTimes> =>
  new Promise((resolve, reject) => {
    const worker = new Worker('/pairs-worker.js')
    worker.addEventListener('error', (event) => reject(new Error(event.message)))
    worker.addEventListener('message', ({ data }: MessageEvent<PairTimes>) => {
      worker.terminate()
      resolve(data)
    })
    worker.postMessage(rounds)
  })

/** Asks the app's own worker for all pairs, from the stored matrix. @returns milliseconds until the answer is here */
export async function radarCall(): Promise<() => Promise<number>> {
  const made = dailyMatrix()
  // Of closes that are too old nothing is computed.
  const matrix = { ...made, firstDay: utcDayOf(Date.now()) - made.days }
  const db = new LocalDatabase()
  const { source } = (await db.prices.toCollection().first())!
  await db.daily_closes.put({
    key: 'usd',
    source,
    matrix: encodeDailyMatrix({ ...matrix, source }),
    etag: null,
    last_day: matrix.firstDay + matrix.days - 1,
    fetched_at: 0,
  })
  const worker = wrap<WorkerApi>(new Worker('/app-worker.js'))
  return async () => {
    const start = performance.now()
    const answer = await worker.radar({ ranked: 100, own: [] }, Date.now())
    if (answer.kind !== 'ready' || answer.a.length !== 4950) throw new Error('The worker gave not all pairs.')
    return performance.now() - start
  }
}
