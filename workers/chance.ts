import { type LocalDatabase, readPrices } from '../src/db/database'
import { readDailyMatrix, type StoredMatrix } from '../src/db/queries/daily-closes'
import { type ChanceCount, chanceOf, shuffledCounts } from '../src/domain/chance-of-extremes'
import type { ChanceRequest, WorkerApi } from './api'

/** Milliseconds after which the worker answers other questions before it goes on. */
const SLICE_MS = 12
/** Answers that are kept: the windows of Radar, some lists of it, and the board's. */
const KEPT_ANSWERS = 12

/**
 * Answers how many of some pairs chance puts beyond a line: a second or two for thousands of pairs, in slices, and kept until
 * the server has answered for other closes.
 */
export function chanceAnswers(db: LocalDatabase): WorkerApi['chance'] {
  const kept = new Map<string, ChanceCount>()
  const newest = new Map<ChanceRequest['line'], ChanceRequest>()
  return async (request) => {
    newest.set(request.line, request)
    const stored = await db.transaction('r', [db.prices, db.daily_closes], async () =>
      readDailyMatrix(db, await readPrices(db)),
    )
    if (stored === null) return null
    const key = keyOf(stored, request)
    const answer = kept.get(key) ?? (await countInSlices(stored, request, () => newest.get(request.line) === request))
    if (answer === null) return null
    kept.delete(key)
    kept.set(key, answer)
    if (kept.size > KEPT_ANSWERS) kept.delete(kept.keys().next().value!)
    return answer
  }
}

/** Null: no longer wanted. */
async function countInSlices(
  { matrix }: StoredMatrix,
  { coins, a, b, window, line }: ChanceRequest,
  isWanted: () => boolean,
): Promise<ChanceCount | null> {
  const rows = coins.map((coin) => matrix.coins.indexOf(coin))
  const pairs = Array.from(a, (coinA, i) => [rows[coinA]!, rows[b[i]!]!] as const).filter(
    ([rowA, rowB]) => rowA >= 0 && rowB >= 0,
  )
  const question = { a: pairs.map(([row]) => row), b: pairs.map(([, row]) => row), window, line }
  const counts: number[] = []
  let until = performance.now() + SLICE_MS
  for (const count of shuffledCounts(matrix, question)) {
    counts.push(count)
    if (performance.now() < until) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (!isWanted()) return null
    until = performance.now() + SLICE_MS
  }
  return chanceOf(counts)
}

const keyOf = ({ fetchedAt }: StoredMatrix, { coins, a, b, window, line }: ChanceRequest): string =>
  [fetchedAt, line, window, coins, Array.from(a), Array.from(b)].join(' ')
