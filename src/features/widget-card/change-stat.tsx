import { atom, useAtomValue, type Atom } from 'jotai'
import { useMemo } from 'react'
import { formatPercent } from '../../domain/format-percent'
import { classNames } from '../../ui/class-names'
import { Direction, directionOf, type DirectionName } from '../../ui/direction'
import { Figure } from './figure'
import styles from './stat.module.css'

interface ChangeStatProps {
  readonly label: string
  /** Fraction, 0.05 is +5 %; null: not known, "n.a."; undefined: not yet computed. */
  readonly change: Atom<number | null | undefined>
}

type Look = DirectionName | 'unknown' | 'awaited'

const lookOf = (change: number | null | undefined): Look =>
  change === undefined ? 'awaited' : change === null ? 'unknown' : directionOf(change)

/** A change beside its label. */
export function ChangeStat({ label, change }: ChangeStatProps) {
  return (
    <div className={styles.stat}>
      <dt className={styles.label}>{label}</dt>
      <dd>
        <ChangeFigure change={change} />
      </dd>
    </div>
  )
}

/** Renders when the direction changes; the number follows by itself. */
export function ChangeFigure({ change }: Pick<ChangeStatProps, 'change'>) {
  const { value, look } = useMemo(
    () => ({ value: atom((get) => get(change) ?? null), look: atom((get) => lookOf(get(change))) }),
    [change],
  )
  const now = useAtomValue(look)
  const direction = now === 'awaited' || now === 'unknown' ? null : now
  return (
    <span className={classNames(styles.value, styles[direction ?? 'flat'])}>
      {now === 'awaited' ? (
        <span aria-hidden="true">–</span>
      ) : (
        <>
          {direction && <Direction direction={direction} />}
          <Figure source={value} format={formatPercent} />
        </>
      )}
    </span>
  )
}
