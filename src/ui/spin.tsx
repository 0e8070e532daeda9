import type { KeyboardEvent } from 'react'
import { Field, TextInput } from './field'
import styles from './spin.module.css'

interface SpinProps {
  readonly label: string
  readonly hint: string
  readonly error: string | null
  readonly text: string
  /** Null: the text is no such number. */
  readonly value: number | null
  readonly least?: number
  readonly most: number
  readonly step: number
  readonly onType: (text: string) => void
}

/** A number with decimals in any spelling, which a browser's own field reads in its own language alone. */
export function Spin({ label, hint, error, text, value, least = 0, most, step, onType }: SpinProps) {
  const turn = (event: KeyboardEvent) => {
    const by = { ArrowUp: step, ArrowDown: -step }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onType(String(Number(Math.min(most, Math.max(least, (value ?? 0) + by)).toFixed(4))))
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <TextInput
          {...control}
          role="spinbutton"
          aria-valuenow={value ?? undefined}
          aria-valuetext={text}
          aria-valuemin={least}
          aria-valuemax={most}
          className={styles.input}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={turn}
        />
      )}
    </Field>
  )
}
