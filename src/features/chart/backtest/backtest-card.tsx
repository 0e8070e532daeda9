import { useLiveQuery } from 'dexie-react-hooks'
import { useId, useState } from 'react'
import type { ChartReady } from '../../../../workers/api'
import { readCoins } from '../../../db/database'
import type { CoinView, PairView } from '../../../db/view'
import { LARGEST_SWAP_COST, spreadRemark } from '../../../domain/swap-cost'
import type { Period } from '../../../domain/chart-periods'
import { useServices } from '../../../state/services'
import { Field, TextInput } from '../../../ui/field'
import { FigureLink } from '../../../ui/figure-link'
import { Segmented } from '../../../ui/segmented'
import styles from './backtest-card.module.css'
import { readCost, writeCost } from './backtest-words'
import { BacktestOutcome } from './backtest-outcome'
import type { MissingThresholds, Tested } from './use-backtest'

const SOURCES = [
  { value: 'bands', label: 'The bands' },
  { value: 'thresholds', label: 'Your thresholds' },
] as const

const MISSING: Readonly<Record<Exclude<MissingThresholds, null>, string>> = {
  'no-widget': 'At the bands of the chart, since this pair has no thresholds on your dashboard.',
  'not-both': 'At the bands of the chart: your own thresholds can be tested once both are set.',
  order: 'At the bands of the chart: your high threshold is not above the low one.',
}

interface BacktestCardProps {
  readonly pair: PairView
  readonly period: Period
  readonly chart: ChartReady | null
  readonly tested: Tested
}

/** The outcome of rotating at two lines in the shown period. */
export function BacktestCard({ pair, period, chart, tested }: BacktestCardProps) {
  const { choices, cost, choose, missing, lines, result } = tested
  const bodyId = useId()
  return (
    <section className={styles.card} aria-label="Backtest">
      <h2>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={choices.isOpen}
          aria-controls={bodyId}
          onClick={() => choose({ isOpen: !choices.isOpen })}
        >
          Backtest: what would rotating have done?
        </button>
      </h2>
      <div id={bodyId} className={styles.body} hidden={!choices.isOpen}>
        {missing === null ? (
          <Segmented
            label="Swap at"
            options={SOURCES}
            value={choices.swapAt}
            onChange={(swapAt) => choose({ swapAt })}
          />
        ) : (
          <p className={styles.note}>{MISSING[missing]}</p>
        )}
        <div className={styles.settings}>
          <CostField pair={pair} cost={cost} onCost={(typed) => choose({ cost: typed })} />
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={choices.marks}
              onChange={(event) => choose({ marks: event.currentTarget.checked })}
            />
            Mark the swaps on the chart
          </label>
        </div>
        {chart !== null && choices.isOpen && result === null && <p>There is nothing to test in this period.</p>}
        {chart !== null && result !== null && (
          <BacktestOutcome pair={pair} period={period} chart={chart} lines={lines} cost={cost} result={result} />
        )}
        <p className={styles.note}>
          A swap is made at its line; the lower end of a range is with each swap at the next point, if that was worse.
          {lines !== null && ' A swap needs the line only; a new time in the threshold dialog needs the average.'} Past
          swings promise nothing. <FigureLink figure="backtest">How it is reckoned</FigureLink>
        </p>
      </div>
    </section>
  )
}

interface CostFieldProps extends Pick<BacktestCardProps, 'pair'> {
  readonly cost: number
  readonly onCost: (cost: number) => void
}

function CostField({ pair: { coinA, coinB }, cost, onCost }: CostFieldProps) {
  const { commands } = useServices()
  const list = useLiveQuery(() => readCoins(commands.db), [commands.db])?.coins
  const rankOf = ({ id }: CoinView) => list?.find((coin) => coin.id === id)?.market_cap_rank
  const [text, setText] = useState(writeCost(cost))
  const read = readCost(text, LARGEST_SWAP_COST)
  return (
    <Field
      label="Cost of a swap (fee and spread), %"
      hint={(list && spreadRemark([coinA, coinB], rankOf)) ?? undefined}
      error={read === null ? `A number from 0 to ${writeCost(LARGEST_SWAP_COST)}, such as 0.3` : null}
    >
      {(control) => (
        <TextInput
          {...control}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            const typed = event.currentTarget.value
            setText(typed)
            const next = readCost(typed, LARGEST_SWAP_COST)
            if (next !== null) onCost(next)
          }}
        />
      )}
    </Field>
  )
}
