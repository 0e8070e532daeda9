import { useAtomValue, type Atom } from 'jotai'
import { classNames } from '../../ui/class-names'
import { Direction, directionOf } from '../../ui/direction'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './stat.module.css'

const STEPS = [1, 2, 3] as const

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
      <dd className={classNames(styles.value, styles[direction])}>
        {steps === undefined && <span aria-hidden="true">–</span>}
        {steps === null && 'n.a.'}
        {typeof steps === 'number' && (
          <>
            <VisuallyHidden>{inWords(steps)}</VisuallyHidden>
            {STEPS.map((step) => (
              <Direction key={step} direction={direction} faint={step > Math.abs(steps)} />
            ))}
          </>
        )}
      </dd>
    </div>
  )
}
