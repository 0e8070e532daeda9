import { useId, type ComponentPropsWithRef, type ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './field.module.css'

/** Attributes that the labelled control must carry. */
interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** Shown in place of the hint and read out. */
  readonly error?: string | null | undefined
  readonly children: (control: ControlProps) => ReactNode
}

/** A label, its control, and one line below that says how or what is wrong. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const wrong = error != null && error !== ''
  const noteId = wrong || hint !== undefined ? `${id}-note` : undefined
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': wrong || undefined })}
      {wrong ? (
        <p id={noteId} role="alert" className={styles.error}>
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p id={noteId} className={styles.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

export function TextInput({ className, type = 'text', ...rest }: ComponentPropsWithRef<'input'>) {
  return <input {...rest} type={type} className={classNames(styles.input, className)} />
}

export const Select = ({ className, ...rest }: ComponentPropsWithRef<'select'>) => (
  <select {...rest} className={classNames(styles.input, className)} />
)

/** Several lines; grows with what is typed where the browser can do that. */
export function TextArea({ className, ...rest }: ComponentPropsWithRef<'textarea'>) {
  return <textarea {...rest} className={classNames(styles.input, styles.area, className)} />
}
