import { atom, type Atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { formatPercent } from '../../domain/format-number'
import { classNames } from '../../ui/class-names'
import { Direction, directionOf, toneOf } from '../../ui/direction'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { Figure } from './figure'
import styles from './stat.module.css'

const inWords = (steps: number): string =>
  steps === 0 ? 'flat' : `${Math.abs(steps)} of 3 steps ${steps > 0 ? 'up' : 'down'}`

interface TrendStepsProps {
  /** -3 to 3 standard deviations of the last four hours; null: too few points; undefined: not yet computed. */
  readonly trend: Atom<number | null | undefined>
}

export function TrendSteps({ trend }: TrendStepsProps) {
  const steps = useAtomValue(trend)
  const direction = directionOf(steps ?? 0)
  return (
    <div className={styles.stat}>
      <dt className={styles.label}>Trend 4h</dt>
      <dd className={classNames(styles.value, toneOf(direction))}>
        {steps === undefined && <span aria-hidden="true">–</span>}
        {steps === null && 'n.a.'}
        {typeof steps === 'number' && (
          <>
            <VisuallyHidden>{inWords(steps)}</VisuallyHidden>
            {[1, 2, 3].map((step) => (
              <Direction key={step} direction={direction} faint={step > Math.abs(steps)} />
            ))}
          </>
        )}
      </dd>
    </div>
  )
}

interface ChangeStatProps {
  readonly label: string
  /** Fraction, 0.05 is +5 %; null: not known, "n.a."; undefined: not yet computed. */
  readonly change: Atom<number | null | undefined>
}

/** A change beside its label. */
export const ChangeStat = ({ label, change }: ChangeStatProps) => (
  <div className={styles.stat}>
    <dt className={styles.label}>{label}</dt>
    <dd>
      <ChangeFigure change={change} />
    </dd>
  </div>
)

/** Renders when the direction changes; `Figure` writes the number. */
export function ChangeFigure({ change }: Pick<ChangeStatProps, 'change'>) {
  const atoms = useMemo(() => {
    const value = atom((get) => get(change) ?? null)
    const direction = atom((get) => {
      const now = get(change)
      return now == null ? now : directionOf(now)
    })
    return { value, direction }
  }, [change])
  const direction = useAtomValue(atoms.direction)
  return (
    <span className={classNames(styles.value, toneOf(direction ?? 'flat'))}>
      {direction === undefined ? (
        <span aria-hidden="true">–</span>
      ) : (
        <>
          {direction && <Direction direction={direction} />}
          <Figure source={atoms.value} format={formatPercent} />
        </>
      )}
    </span>
  )
}
