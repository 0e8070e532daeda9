import { useState } from 'react'
import { classNames } from '../../ui/class-names'
import styles from './figure.module.css'

interface FigureProps {
  readonly value: number | null
  readonly format: (value: number | null) => string
  readonly className?: string | undefined
}

/** A number that is marked for a moment when what it shows has changed. The mark takes no room. */
export function Figure({ value, format, className }: FigureProps) {
  const text = format(value)
  const [shown, setShown] = useState<Shown>({ text, value, mark: null, changes: 0 })
  if (shown.text !== text) setShown(changedTo(shown, text, value))
  return (
    <span className={classNames(styles.figure, className)}>
      {/* A new key starts the mark's animation again; once over it is taken off, or a moved card would show it again. */}
      <span
        key={shown.changes}
        className={classNames(styles.value, shown.mark !== null && styles[shown.mark])}
        onAnimationEnd={() => setShown({ ...shown, mark: null })}
      >
        {text}
      </span>
    </span>
  )
}

interface Shown {
  readonly text: string
  readonly value: number | null
  readonly mark: 'rose' | 'fell' | null
  readonly changes: number
}

/** A number that appears or disappears is no change. */
function changedTo(shown: Shown, text: string, value: number | null): Shown {
  if (shown.value === null || value === null) return { ...shown, text, value, mark: null }
  return { text, value, mark: value > shown.value ? 'rose' : 'fell', changes: shown.changes + 1 }
}
