import { useId } from 'react'
import { formatRatio } from '../../domain/format-number'
import { PERIOD_RULES, PERIODS, type Period } from '../../domain/chart-periods'
import { Segmented } from '../../ui/segmented'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './chart-lines.module.css'
import {
  averageLabel,
  strokeOf,
  type LineId,
  type Toggles,
  isLineShown,
  lineName,
  LINES_AS_READ,
  type Stroke,
  REFERENCE_KINDS,
  REFERENCE_STYLES,
  type Reference,
} from './lines'

interface ChartToolbarProps {
  readonly period: Period
  readonly onPeriod: (period: Period) => void
  readonly toggles: Toggles
  readonly onToggles: (toggles: Toggles) => void
  /** While loading, without data or on error there is no chart to draw lines on. */
  readonly togglesDisabled: boolean
}

const OPTIONS = PERIODS.map((period) => ({ value: period, label: PERIOD_RULES[period].label }))

interface ToggleProps {
  readonly pressed: boolean
  readonly disabled: boolean
  readonly onPress: () => void
  readonly sample: LineId
  readonly label: string
  /** The meaning of the label, in plain words. */
  readonly plain: string
}

function Toggle({ pressed, disabled, onPress, sample, label, plain }: ToggleProps) {
  const plainId = useId()
  return (
    <div className={styles.indicator}>
      <button
        type="button"
        className={styles.toggle}
        aria-pressed={pressed}
        aria-describedby={plainId}
        disabled={disabled}
        onClick={onPress}
      >
        <LineSample stroke={strokeOf(sample)} className={styles.sample} />
        {label}
      </button>
      <span id={plainId} className={styles.plain}>
        {plain}
      </span>
    </div>
  )
}

export function ChartToolbar({ period, onPeriod, toggles, onToggles, togglesDisabled }: ChartToolbarProps) {
  const { averageDays } = PERIOD_RULES[period]
  const indicators = [
    { key: 'average', sample: 'ema', label: averageLabel(averageDays), plain: averageWords(averageDays) },
    { key: 'bands', sample: 'upper', label: 'Bands (2σ)', plain: 'usual range around it' },
  ] as const
  return (
    <div className={styles.toolbar}>
      <Segmented label="Period" options={OPTIONS} value={period} onChange={onPeriod} className={styles.periods} />
      <div className={styles.toggles} role="group" aria-label="Indicators">
        {indicators.map(({ key, ...texts }) => (
          <Toggle
            key={key}
            {...texts}
            pressed={toggles[key]}
            disabled={togglesDisabled}
            onPress={() => onToggles({ ...toggles, [key]: !toggles[key] })}
          />
        ))}
      </div>
    </div>
  )
}

interface ChartLegendProps {
  readonly toggles: Toggles
  readonly averageDays: number
  readonly references: readonly Reference[]
  /** Triangles mark the swaps of a backtest. */
  readonly hasSwaps: boolean
}

/** Names each line beside a sample of its colour, dash and width. */
export function ChartLegend({ toggles, averageDays, references, hasSwaps }: ChartLegendProps) {
  const shown = LINES_AS_READ.filter((id) => isLineShown(id, toggles))
  const set = REFERENCE_KINDS.filter((kind) => references.some((reference) => reference.kind === kind))
  return (
    <div className={styles.legends}>
      <ul className={styles.legend} aria-label="Lines">
        {shown.map((id) => (
          <li key={id} className={styles.entry}>
            <LineSample stroke={strokeOf(id)} />
            <Name long={lineName(id, averageLabel(averageDays))} short={lineName(id, 'EMA')} />
          </li>
        ))}
        {hasSwaps && (
          <li className={styles.entry}>
            <span aria-hidden="true">▾▴</span>
            <Name long="Swaps of the backtest" short="Swaps" />
          </li>
        )}
      </ul>
      {set.length > 0 && (
        <ul className={styles.legend} aria-label="Alerts and checkpoints">
          {set.map((kind) => (
            <li key={kind} className={styles.entry}>
              <LineSample stroke={REFERENCE_STYLES[kind]} />
              <Name long={REFERENCE_STYLES[kind].name} short={REFERENCE_STYLES[kind].short} />
              {/* The canvas has them beside the lines. */}
              <VisuallyHidden>
                {': '}
                {references
                  .filter((reference) => reference.kind === kind)
                  .map(({ value }) => formatRatio(value))
                  .join(', ')}
              </VisuallyHidden>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Screen readers get the long name, and so does a wide screen. */
const Name = ({ long, short }: { readonly long: string; readonly short: string }) => (
  <>
    <span className={styles.long}>{long}</span>
    <span className={styles.short} aria-hidden="true">
      {short}
    </span>
  </>
)

/** A stretch of a line as the chart draws it. */
const LineSample = ({ stroke, className }: { readonly stroke: Stroke; readonly className?: string | undefined }) => (
  <svg
    width="24"
    height="8"
    viewBox="0 0 24 8"
    preserveAspectRatio="xMinYMid slice"
    aria-hidden="true"
    className={className}
  >
    <line
      x1="0"
      x2="24"
      y1="4"
      y2="4"
      stroke={`var(${stroke.token})`}
      strokeWidth={stroke.width}
      strokeDasharray={stroke.dash.join(' ')}
    />
  </svg>
)

/** Beside the label of the moving average: "average over 3 hours". @param days its window */
function averageWords(days: number): string {
  const [count, unit] = days < 1 ? [days * 24, 'hour'] : [days, 'day']
  return `average over ${count} ${unit}${count === 1 ? '' : 's'}`
}
