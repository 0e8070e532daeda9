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
  const [shown, setShown] = useState({ text, value, rose: false, changes: 0 })
  if (shown.text !== text) {
    const rose = (value ?? 0) > (shown.value ?? 0)
    const isNews = shown.value !== null && value !== null
    setShown({ text, value, rose, changes: isNews ? shown.changes + 1 : shown.changes })
  }
  const mark = shown.changes > 0 && (shown.rose ? styles.rose : styles.fell)
  return (
    <span className={classNames(styles.figure, className)}>
      {/* A new key starts the mark's animation again. */}
      <span key={shown.changes} className={classNames(styles.value, mark)}>
        {text}
      </span>
    </span>
  )
}
