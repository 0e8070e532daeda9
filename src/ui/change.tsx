import { formatPercent } from '../domain/format-number'
import styles from './change.module.css'
import { classNames } from './class-names'
import { Direction, directionOf } from './direction'

/** A change in sign, arrow and colour. `change`: fraction, 0.05 is +5 %; null: not known. */
export function Change({ change }: { readonly change: number | null }) {
  const direction = directionOf(change ?? 0)
  return (
    <span className={classNames(styles.change, styles[direction])}>
      {change !== null && <Direction direction={direction} />}
      {formatPercent(change)}
    </span>
  )
}
