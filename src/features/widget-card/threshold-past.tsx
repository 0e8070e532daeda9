import { useEffect, useMemo, useState } from 'react'
import type { RatioHistory } from '../../../workers/api'
import { type AlertSide, OPPOSITE_SIDE, SIDES } from '../../domain/alerts'
import { breakEven } from '../../domain/backtest'
import { swapCostOf } from '../../domain/backtest-choices'
import { formatSignificant } from '../../domain/format-number'
import { pastOfThreshold } from '../../domain/threshold-past'
import { useChartChoices } from '../../state/chart-choices'
import { FigureLink } from '../../ui/figure-link'
import { formatShortDay } from '../../domain/local-time'

interface ThresholdPastProps {
  readonly side: AlertSide
  /** Null: the text is no threshold. */
  readonly value: number | null
  readonly history: RatioHistory | null
}

/** Milliseconds without typing after which the sentence follows: a screen reader hears one sentence for a number. */
const REST_MS = 300

/** The value once it has stayed the same for a moment. */
export function useRested<T extends string | number | null>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** How often the ratio reached the typed threshold; empty while nothing is known of it. */
export function ThresholdPast({ side, value, history }: ThresholdPastProps) {
  const rested = useRested(value)
  const words = useMemo(
    () => (rested === null || history === null ? null : pastOfThreshold(history, side, rested, formatShortDay)),
    [rested, history, side],
  )
  return <p role="status">{words}</p>
}

/** The ratio at which the way back has paid fees and spread of a swap at the threshold; the cost is that of the user's backtests. */
export function BreakEven({ side, value }: Omit<ThresholdPastProps, 'history'>) {
  const share = swapCostOf(useChartChoices().choices?.backtest)
  if (value === null) return null
  const ratio = formatSignificant(breakEven(side, value, share), 4)
  const cost = String(Number((share * 100).toPrecision(6)))
  return (
    <p>
      A swap here and back <FigureLink figure="break-even">pays fees and spread</FigureLink>{' '}
      {SIDES[OPPOSITE_SIDE[side]].kind} {ratio} ({cost}
      {'\u00A0'}% each).
    </p>
  )
}
