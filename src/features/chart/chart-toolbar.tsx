import { type ReactNode, useId } from 'react'
import { PERIOD_RULES, PERIODS, type Period } from '../../domain/period'
import { Segmented } from '../../ui/segmented'
import styles from './chart-toolbar.module.css'
import { LineSample } from './line-sample'
import { averageLabel, strokeOf, type LineId, type Toggles } from './lines'
import { averageWords, BAND_WORDS } from './plain-words'

interface ChartToolbarProps {
  readonly period: Period
  readonly onPeriod: (period: Period) => void
  readonly toggles: Toggles
  readonly onToggles: (toggles: Toggles) => void
  /** While loading, without data or on error there is nothing to lay lines over. */
  readonly togglesDisabled: boolean
}

const OPTIONS = PERIODS.map((period) => ({ value: period, label: PERIOD_RULES[period].label }))

interface ToggleProps {
  readonly pressed: boolean
  readonly disabled: boolean
  readonly onPressed: (pressed: boolean) => void
  readonly sample: LineId
  /** The meaning of the label, in plain words. */
  readonly plain: string
  readonly children: ReactNode
}

function Toggle({ pressed, disabled, onPressed, sample, plain, children }: ToggleProps) {
  const plainId = useId()
  return (
    <div className={styles['indicator']}>
      <button
        type="button"
        className={styles['toggle']}
        aria-pressed={pressed}
        aria-describedby={plainId}
        disabled={disabled}
        onClick={() => onPressed(!pressed)}
      >
        <LineSample stroke={strokeOf(sample)} className={styles['sample']} />
        {children}
      </button>
      <span id={plainId} className={styles['plain']}>
        {plain}
      </span>
    </div>
  )
}

export function ChartToolbar({ period, onPeriod, toggles, onToggles, togglesDisabled }: ChartToolbarProps) {
  return (
    <div className={styles['toolbar']}>
      <Segmented label="Period" options={OPTIONS} value={period} onChange={onPeriod} className={styles['periods']} />
      <div className={styles['toggles']} role="group" aria-label="Indicators">
        <Toggle
          pressed={toggles.average}
          disabled={togglesDisabled}
          onPressed={(average) => onToggles({ ...toggles, average })}
          sample="ema"
          plain={averageWords(PERIOD_RULES[period].averageDays)}
        >
          {averageLabel(PERIOD_RULES[period].averageDays)}
        </Toggle>
        <Toggle
          pressed={toggles.bands}
          disabled={togglesDisabled}
          onPressed={(bands) => onToggles({ ...toggles, bands })}
          sample="upper"
          plain={BAND_WORDS}
        >
          Bands (2σ)
        </Toggle>
      </div>
    </div>
  )
}
