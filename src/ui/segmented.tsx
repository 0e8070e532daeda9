import { classNames } from './class-names'
import styles from './segmented.module.css'

interface SegmentedProps<T extends string> {
  /** The accessible name of the group. */
  readonly label: string
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly value: T
  readonly onChange: (value: T) => void
  readonly disabled?: boolean
  readonly className?: string | undefined
}

/** One of a few, as buttons that stay pressed. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const { label, options, value, onChange, disabled, className } = props
  return (
    <fieldset aria-label={label} className={classNames(styles.group, className)}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={styles.option}
          aria-pressed={option.value === value}
          disabled={disabled}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
