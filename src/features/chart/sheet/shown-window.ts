import { useMemo } from 'react'
import type { PairView } from '../../../db/view'
import type { StatisticWindow } from '../../../domain/pair-statistics'
import { isPegged } from '../../../domain/peg'
import { nearerEnd, type RangeEnd } from '../../../domain/extreme'
import { daysOfWindow, deviationWords } from '../../../domain/standing'
import type { Reference } from '../lines'
import { pairSentences, type Sentence } from './pair-sentences'
import { type ReportState, usePairReport } from './use-pair-report'

/** A pair's figures in the window that the user has chosen, as the parts of its page show them. */
export interface ShownWindow {
  readonly state: ReportState
  readonly window: StatisticWindow
  /** Empty while there is no report. */
  readonly sentences: readonly Sentence[]
  /** The side of its days on which the ratio stands. */
  readonly side: RangeEnd
  /** The ratio at the mean of the logarithms, and the known days that it is of; null: not known. */
  readonly average: { readonly ratio: number; readonly days: number } | null
  /** The average and two deviations on either side, as level lines of the chart. */
  readonly references: readonly Reference[]
}

/** Deviations from the average at which the chart has lines. */
const LINES = 2

/** The figures of a pair's window, and the function that computes them again. */
export function useShownWindow(pair: PairView, window: StatisticWindow) {
  const [state, retry] = usePairReport({ coinA: pair.coinA.id, coinB: pair.coinB.id })
  const shown = useMemo(() => shownWindow(state, window, pair), [state, window, pair])
  return { shown, retry }
}

function shownWindow(state: ReportState, window: StatisticWindow, { coinA, coinB }: PairView): ShownWindow {
  const nothing = { state, window, sentences: [], side: 'high', average: null, references: [] } as const
  if (state.kind !== 'ready') return nothing
  const { report } = state
  const found = report.windows.find((one) => one.window === window)
  if (found === undefined) return nothing
  const { mean, deviation, percentile } = found
  const days = daysOfWindow(found.days, window)
  const symbols = [coinA.symbol.toUpperCase(), coinB.symbol.toUpperCase()] as const
  return {
    ...nothing,
    sentences: pairSentences(report, found, symbols),
    side: nearerEnd(percentile ?? 1),
    average: mean === null ? null : { ratio: Math.exp(mean), days },
    references: mean === null ? [] : linesOf(mean, deviation ?? 0, days),
  }
}

function linesOf(mean: number, deviation: number, days: number): readonly Reference[] {
  const average: Reference = { kind: 'average', value: Math.exp(mean), label: `Average ${days} d` }
  // Of a peg nothing is counted in deviations.
  if (isPegged(deviation)) return [average]
  const at = (z: number): Reference => ({
    kind: 'deviation',
    value: Math.exp(mean + z * deviation),
    label: deviationWords(z, 0),
  })
  return [average, at(LINES), at(-LINES)]
}
