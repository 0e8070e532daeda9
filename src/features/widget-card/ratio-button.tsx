import type { Atom } from 'jotai'
import { formatRatio } from '../../domain/format-ratio'
import { classNames } from '../../ui/class-names'
import { Figure } from './figure'
import styles from './ratio-button.module.css'

interface RatioButtonProps {
  readonly ratio: Atom<number | null>
  /** A click saves the ratio as a checkpoint; otherwise it does nothing. */
  readonly armed: boolean
  /** What its label points at. */
  readonly id: string
  readonly onSave: () => void
}

/** The largest thing on the card. A button all the time, so that arming moves nothing; it acts only while armed. */
export function RatioButton({ ratio, armed, id, onSave }: RatioButtonProps) {
  const valueId = `${id}-value`
  return (
    <button
      type="button"
      id={id}
      aria-describedby={valueId}
      title={armed ? 'Save as checkpoint' : undefined}
      className={classNames(styles.button, armed && styles.armed)}
      onClick={armed ? onSave : undefined}
    >
      <Figure id={valueId} source={ratio} format={formatRatio} />
    </button>
  )
}
