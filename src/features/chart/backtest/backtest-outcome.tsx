import { useMemo } from 'react'
import type { ChartReady, WalkRequest } from '../../../../workers/api'
import type { PairView } from '../../../db/view'
import type { Backtest } from '../../../domain/backtest'
import type { Period } from '../../../domain/chart-periods'
import { formatRatio } from '../../../domain/format-number'
import { formatShortDateTime } from '../../../domain/local-time'
import { Facts } from '../../../ui/facts'
import { AllPairs } from './all-pairs'
import styles from './backtest-card.module.css'
import { backtestFacts, backtestSentence, NO_PAST, type Symbols, walkSentence } from './backtest-words'
import type { Tested } from './use-backtest'
import { useWalk, type WalkState } from './use-walk'

interface OutcomeProps extends Pick<Tested, 'lines' | 'cost'> {
  readonly pair: PairView
  readonly period: Period
  readonly chart: ChartReady
  readonly result: Backtest
}

/** The outcome of the rule that knew only what lay before it, and after it that of the same period's lines. */
export function BacktestOutcome({ pair: { coinA, coinB }, period, chart, lines, cost, result }: OutcomeProps) {
  const swapAt = lines === null ? 'bands' : 'thresholds'
  const request = useMemo((): WalkRequest => {
    const { from, times, ratio: ratios } = chart
    return { coinA: coinA.id, coinB: coinB.id, period, from, times, ratios, thresholds: lines, cost }
  }, [coinA.id, coinB.id, period, chart, lines, cost])
  const walk = useWalk(request, `${coinA.id} ${coinB.id} ${period} ${swapAt}`)
  if (walk === undefined) return <p className={styles.sentence}>Testing with lines drawn before…</p>
  const symbols: Symbols = { a: coinA.symbol.toUpperCase(), b: coinB.symbol.toUpperCase() }
  // The gain of this period is told beside this period's own walk alone.
  const isFair = isWalked(walk) && walk.period === period
  return (
    <>
      <p className={styles.sentence}>
        {isWalked(walk) ? walkSentence(walk, period, chart.from, symbols) : UNFAIR[String(walk) as keyof typeof UNFAIR]}
      </p>
      <p className={styles.sentence}>{backtestSentence(result, swapAt, isFair)}</p>
      <Facts facts={backtestFacts(result, symbols, isFair)} />
      {result.swaps.length > 0 && (
        <details className={styles.swaps}>
          <summary>All swaps</summary>
          <ol>
            {result.swaps.map(({ at, to, ratio }) => (
              <li key={at}>
                {to === 'b' ? `${symbols.a} → ${symbols.b}` : `${symbols.b} → ${symbols.a}`} at {formatRatio(ratio)},{' '}
                {formatShortDateTime(chart.times[at]!, chart.times.at(-1)!)}
              </li>
            ))}
          </ol>
        </details>
      )}
      {isWalked(walk) && <AllPairs key={`${coinA.id} ${coinB.id} ${swapAt}`} rule={{ k: walk.k, cost }} />}
    </>
  )
}

const UNFAIR = {
  null: `${NO_PAST}.`,
  failed: 'The test with lines drawn before could not be made.',
}

const isWalked = (walk: WalkState): walk is Exclude<WalkState, null | 'failed'> => walk !== null && walk !== 'failed'
