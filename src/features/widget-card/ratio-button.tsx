import type { Atom } from 'jotai'
import { formatRatio } from '../../domain/format-ratio'
import { classNames } from '../../ui/class-names'
import { Figure } from './figure'
import styles from './ratio-button.module.css'

interface RatioButtonProps {
  readonly ratio: Atom<number | null>
  /** A click saves the ratio as a checkpoint; otherwise it does nothing. */
  readonly armed: boolean
  readonly labelId: string
  readonly onSave: () => void
}

/** The largest thing on the card. A button all the time, so that arming moves nothing; it acts only while armed. */
export function RatioButton({ ratio, armed, labelId, onSave }: RatioButtonProps) {
  const valueId = `${labelId}-value`
  return (
    <button
      type="button"
      aria-labelledby={labelId}
      aria-describedby={valueId}
      title={armed ? 'Save as checkpoint' : undefined}
      className={classNames(styles.button, armed && styles.armed)}
      onClick={armed ? onSave : undefined}
    >
      <Figure id={valueId} aria-hidden source={ratio} format={formatRatio} />
    </button>
  )
}
