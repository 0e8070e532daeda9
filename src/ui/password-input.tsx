import { Eye, EyeOff } from 'lucide-react'
import { type ComponentPropsWithRef, useState } from 'react'
import { SHORTEST_PASSWORD } from '../domain/account'
import { IconButton } from './button'
import { Field, TextInput } from './field'
import styles from './password-input.module.css'

interface PasswordInputProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'className'> {
  readonly autoComplete: 'current-password' | 'new-password'
}

/** A password, and a button that shows what was typed. */
function PasswordInput(props: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className={styles.box}>
      <TextInput
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className={styles.input}
      />
      <IconButton
        label={shown ? 'Hide password' : 'Show password'}
        icon={shown ? EyeOff : Eye}
        aria-controls={props.id}
        size="sm"
        className={styles.eye}
        onClick={() => setShown(!shown)}
      />
    </div>
  )
}

interface CurrentPasswordFieldProps extends Omit<PasswordInputProps, 'autoComplete'> {
  readonly label?: string
  /** Email address of the account, by which password managers find the password; null: not known, or a field of the form. */
  readonly account: string | null
  readonly error: string | undefined
}

/** Asks for the password of an account. */
export const CurrentPasswordField = ({ label = 'Password', account, error, ...input }: CurrentPasswordFieldProps) => (
  <>
    {account !== null && <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />}
    <Field label={label} error={error}>
      {(control) => <PasswordInput {...control} {...input} autoComplete="current-password" />}
    </Field>
  </>
)

interface ChosenFieldProps {
  readonly label?: string
  readonly error: string | undefined
  readonly readOnly: boolean
}

interface PasswordFieldProps extends ChosenFieldProps {
  /** The user chooses the password; else an account has it. */
  readonly isNew: boolean
  /** True if the password is the first field of the form. */
  readonly first?: boolean
}

/** The field `password`, which keeps what was typed when a known password becomes a new one. */
export const PasswordField = ({ label = 'Password', isNew, error, readOnly, first }: PasswordFieldProps) => (
  <Field label={label} {...(isNew && { hint: `At least ${SHORTEST_PASSWORD} characters.` })} error={error}>
    {(control) => (
      <PasswordInput
        {...control}
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        // A new one is entered again in the next field.
        enterKeyHint={isNew ? 'next' : 'go'}
        readOnly={readOnly}
        required
        data-autofocus={first || undefined}
      />
    )}
  </Field>
)

/** The field `confirmation`: a password that a user chooses, again. */
export const ConfirmationField = ({ label = 'Confirm password', error, readOnly }: ChosenFieldProps) => (
  <Field label={label} error={error}>
    {(control) => (
      <PasswordInput
        {...control}
        name="confirmation"
        autoComplete="new-password"
        enterKeyHint="go"
        readOnly={readOnly}
        required
      />
    )}
  </Field>
)

interface NewPasswordFieldsProps {
  readonly labels?: readonly [password: string, confirmation: string]
  readonly problems: { readonly password?: string | undefined; readonly confirmation?: string | undefined }
  readonly readOnly: boolean
  readonly first?: boolean
}

/** The fields `password` and `confirmation` of a password that a user chooses. */
export const NewPasswordFields = ({
  labels: [label, again] = ['Password', 'Confirm password'],
  problems,
  readOnly,
  first = false,
}: NewPasswordFieldsProps) => (
  <>
    <PasswordField label={label} isNew error={problems.password} readOnly={readOnly} first={first} />
    <ConfirmationField label={again} error={problems.confirmation} readOnly={readOnly} />
  </>
)
