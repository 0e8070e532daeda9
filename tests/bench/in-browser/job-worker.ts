import { LocalDatabase } from '../../../src/db/database'
import { readHistory } from '../../../src/db/history-rows'
import { PERIOD_RULES } from '../../../src/domain/chart-periods'
import { answerChart, buffersOf } from '../../../workers/answers'
import type { JobOrder, JobTimes } from './job'
import { NOW, PAIRS, SIZES, type Size } from './market'

const db = new LocalDatabase()
const [pair] = PAIRS

/** The first step of any chart: both coins' records out of the database. */
async function read(size: Size): Promise<void> {
  const { granularity } = PERIOD_RULES[SIZES[size]]
  const rows = await db.transaction('r', db.history, () =>
    Promise.all([pair.coinA, pair.coinB].map((coin) => readHistory(db, coin, granularity))),
  )
  for (const row of rows) if (row === undefined || row.times.length < size) throw new Error('A record is missing.')
}

/** The app's job, until its columns are on their way to the page. */
async function job(size: Size): Promise<void> {
  const answer = await answerChart(db, { ...pair, period: SIZES[size], now: NOW })
  if (answer.kind !== 'ready' || answer.times.length < size) throw new Error('The job gave no whole chart.')
  const { times, ratio, ema, upper, lower } = answer
  postMessage(answer, { transfer: buffersOf([times, ratio, ema, upper, lower]) })
}

async function race({ size, rounds, warmUp }: JobOrder): Promise<JobTimes> {
  const times = { read: [] as number[], job: [] as number[] }
  const works = { read, job }
  for (let round = -warmUp; round < rounds; round += 1) {
    // The second contender finds the database warmer, so they take turns at that too.
    for (const name of round % 2 === 0 ? (['read', 'job'] as const) : (['job', 'read'] as const)) {
      const start = performance.now()
      await works[name](size)
      if (round >= 0) times[name].push(performance.now() - start)
    }
  }
  return times
}

addEventListener('message', (event: MessageEvent<JobOrder>) => {
  void race(event.data).then((times) => postMessage({ kind: 'times', ...times }))
})
