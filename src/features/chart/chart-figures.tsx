import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useMemo, type PointerEvent } from 'react'
import type { ChartReady } from '../../../workers/api'
import type { PairView } from '../../db/view'
import { formatPercent, formatRatio } from '../../domain/format-number'
import { formatEstimatedPeriod } from '../../domain/format-time'
import { livePricesOf } from '../../domain/live-prices'
import { PERIOD_RULES, type Period } from '../../domain/chart-periods'
import { nowAtom, pricesAtom } from '../../state/live-data'
import { showToastAtom } from '../../state/toasts'
import { classNames } from '../../ui/class-names'
import { directionOf } from '../../ui/direction'
import { Tooltip } from '../../ui/tooltip'
import text from '../../ui/text.module.css'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './chart-figures.module.css'
import { type ChartState, shownChart } from './chart-state'
import { formatMonthDay } from '../../domain/chart-time'
import { periodChange, currentRatio, staleness, shortSince } from '../../domain/chart-facts'

interface ChartFiguresProps {
  readonly state: ChartState
  readonly period: Period
  readonly pair: PairView
}

const ARROWS = { up: '▲', down: '▼', flat: '◆' } as const

/** The pair's current ratio, its change over the period, and the age of both. */
export function ChartFigures({ state, period, pair }: ChartFiguresProps) {
  const { coinA, coinB } = pair
  const chart = shownChart(state)?.chart ?? null
  const current = useMemo(
    () => atom((get) => currentRatio(chart, livePricesOf(get(pricesAtom), coinA.id, coinB.id))),
    [chart, coinA.id, coinB.id],
  )
  const ratio = useAtomValue(current)
  return (
    <p className={styles.figures}>
      <VisuallyHidden>Ratio: </VisuallyHidden>
      <data className={classNames(styles.ratio, text.tabular)} value={ratio ?? ''}>
        {formatRatio(ratio)}
      </data>
      {state.kind === 'ready' && <Change chart={state.chart} ratio={ratio} period={period} />}
      <DataAge state={state} />
    </p>
  )
}

interface ChangeProps extends Pick<ChartFiguresProps, 'period'> {
  readonly chart: ChartReady
  readonly ratio: number | null
}

function Change({ chart, ratio, period }: ChangeProps) {
  const change = periodChange(chart, ratio)
  if (change === null) return null
  const direction = directionOf(change)
  const since = shortSince(chart)
  return (
    <span className={classNames(styles.change, text.tabular)} data-direction={direction}>
      <span aria-hidden="true">{ARROWS[direction]}</span> {formatPercent(change)}{' '}
      <span className={styles.span}>
        {since === null ? `in ${PERIOD_RULES[period].label}` : `since ${formatMonthDay(since)}`}
      </span>
    </span>
  )
}

/** The data's age, once the data is late, beside the figure that it makes doubtful. */
function DataAge({ state }: { readonly state: ChartState }) {
  const now = useAtomValue(nowAtom)
  if (state.kind !== 'ready') return null
  const { chart, fetch } = state
  const age = staleness(chart, fetch.kind === 'ended' && fetch.failure !== null, now)
  return age !== null && <span className={styles.age}>{age}</span>
}

const EXPLANATION = 'Estimated dominant oscillation period based on peak/trough analysis'

/** A button, so that the keyboard reaches the explanation; a finger opens no tooltip, so a toast explains. */
export function EstimatedPeriod({ chart }: { readonly chart: ChartReady | null }) {
  const showToast = useSetAtom(showToastAtom)
  const explain = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') showToast({ kind: 'info', message: EXPLANATION })
  }
  const period = chart?.estimatedPeriod ?? null
  return (
    <span className={styles.aside}>
      <Tooltip text={EXPLANATION} side="below" align="end">
        {(describedBy) => (
          <button type="button" className={styles.estimate} aria-describedby={describedBy} onPointerUp={explain}>
            Est. Period: <span className={text.tabular}>{formatEstimatedPeriod(period)}</span>
          </button>
        )}
      </Tooltip>
      {chart !== null && (
        <span className={styles.plain}>{period === null ? 'no clear swing' : 'one swing up and down'}</span>
      )}
    </span>
  )
}
