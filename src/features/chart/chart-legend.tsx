import { formatRatio } from '../../domain/format-ratio'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './chart-legend.module.css'
import { LineSample } from './line-sample'
import { averageLabel, isLineShown, lineName, LINES_AS_READ, strokeOf, type Toggles } from './lines'
import { REFERENCE_KINDS, REFERENCE_STYLES, type Reference } from './references'

interface ChartLegendProps {
  readonly toggles: Toggles
  readonly averageDays: number
  readonly references: readonly Reference[]
}

/** What each line is, with a sample of its colour, dash and width. */
export function ChartLegend({ toggles, averageDays, references }: ChartLegendProps) {
  const shown = LINES_AS_READ.filter((id) => isLineShown(id, toggles))
  const set = REFERENCE_KINDS.filter((kind) => references.some((reference) => reference.kind === kind))
  return (
    <div className={styles['legends']}>
      <ul className={styles['legend']} aria-label="Lines">
        {shown.map((id) => (
          <li key={id} className={styles['entry']}>
            <LineSample stroke={strokeOf(id)} />
            <Name long={lineName(id, averageLabel(averageDays))} short={lineName(id, 'EMA')} />
          </li>
        ))}
      </ul>
      {set.length > 0 && (
        <ul className={styles['legend']} aria-label="Alerts and checkpoints">
          {set.map((kind) => (
            <li key={kind} className={styles['entry']}>
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

/** The long one for who hears it, and where there is room. */
function Name({ long, short }: { readonly long: string; readonly short: string }) {
  return (
    <>
      <span className={styles['long']}>{long}</span>
      <span className={styles['short']} aria-hidden="true">
        {short}
      </span>
    </>
  )
}
