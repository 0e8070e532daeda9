import { useMemo } from 'react'
import type { ChartReady } from '../../../../workers/api'
import type { Thresholds } from '../../../domain/alerts'
import { type Backtest, backtest, type Swap, type SwapLevels } from '../../../domain/backtest'
import { type BacktestChoices, swapCostOf } from '../../../domain/backtest-choices'
import { useChartChoices } from '../../../state/chart-choices'

const FIRST_CHOICES: BacktestChoices = { isOpen: false, marks: true }

/** The reason why thresholds cannot be tested; null: they can. */
export type MissingThresholds = 'no-widget' | 'not-both' | 'order' | null

export interface Tested {
  /** False until this device's last choices are read. */
  readonly isKnown: boolean
  readonly choices: BacktestChoices & { readonly swapAt: 'thresholds' | 'bands' }
  readonly cost: number
  readonly choose: (change: Partial<BacktestChoices>) => void
  readonly missing: MissingThresholds
  /** The tested thresholds; null: the bands are tested. */
  readonly lines: { readonly high: number; readonly low: number } | null
  /** Null while it is closed or there is no chart, and where nothing can be tested. */
  readonly result: Backtest | null
  /** The swaps to be marked on the chart; undefined: none. */
  readonly swaps: readonly Swap[] | undefined
}

const NO_THRESHOLDS: Thresholds = { high: null, low: null }

/**
 * The backtest of the shown period, at thresholds or at the chart's bands, as the user has it.
 * @param thresholds those that the user sees, moved ones too; null: the pair is on no dashboard
 */
export function useBacktest(chart: ChartReady | null, thresholds: Thresholds | null): Tested {
  const { choices: stored, choose } = useChartChoices()
  const { high, low } = thresholds ?? NO_THRESHOLDS
  const missing: MissingThresholds =
    thresholds === null ? 'no-widget' : high === null || low === null ? 'not-both' : high > low ? null : 'order'
  const kept = stored?.backtest ?? FIRST_CHOICES
  // A pair without both thresholds is tested at the bands; the user's choice stays for the others.
  const swapAt = missing === null ? (kept.swapAt ?? 'bands') : 'bands'
  const { isOpen } = kept
  const cost = swapCostOf(kept)
  const lines = useMemo(
    () => (swapAt === 'bands' || high === null || low === null ? null : { high, low }),
    [swapAt, high, low],
  )
  const result = useMemo(() => {
    if (!isOpen || chart === null) return null
    const levels: SwapLevels =
      lines === null ? { kind: 'bands', high: chart.upper, low: chart.lower } : { kind: 'thresholds', ...lines }
    return backtest({ times: chart.times, ratios: chart.ratio, levels, cost })
  }, [isOpen, chart, lines, cost])
  return {
    isKnown: stored !== undefined,
    choices: { ...kept, swapAt },
    cost,
    choose: (change) => choose({ backtest: { ...kept, ...change } }),
    missing,
    lines,
    result,
    swaps: kept.marks ? result?.swaps : undefined,
  }
}
