import { formatPercent } from '../../domain/format-percent'
import { classNames } from '../../ui/class-names'
import { Direction, directionOf } from '../../ui/direction'
import { Figure } from './figure'
import styles from './stat.module.css'

/** `change`: fraction, 0.05 is +5 %; null: not known; undefined: not yet computed. */
export function DayChange({ change }: { readonly change: number | null | undefined }) {
  const direction = directionOf(change ?? 0)
  return (
    <div className={styles.stat}>
      <dt className={styles.label}>24h change</dt>
      <dd className={classNames(styles.value, styles[direction])}>
        {change === undefined ? (
          <span aria-hidden="true">–</span>
        ) : (
          <>
            {change !== null && <Direction direction={direction} />}
            <Figure value={change} format={formatPercent} />
          </>
        )}
      </dd>
    </div>
  )
}
