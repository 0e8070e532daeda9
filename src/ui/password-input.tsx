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

interface NewPasswordFieldsProps {
  readonly labels?: readonly [password: string, confirmation: string]
  readonly problems: { readonly password?: string | undefined; readonly confirmation?: string | undefined }
  readonly readOnly: boolean
  /** True if the password is the first field of the form. */
  readonly first?: boolean
}

/** The fields `password` and `confirmation` of a password that a user chooses. */
export function NewPasswordFields({
  labels: [label, again] = ['Password', 'Confirm password'],
  problems,
  readOnly,
  first,
}: NewPasswordFieldsProps) {
  const common = { autoComplete: 'new-password', readOnly, required: true } as const
  return (
    <>
      <Field label={label} hint={`At least ${SHORTEST_PASSWORD} characters.`} error={problems.password}>
        {(control) => <PasswordInput {...control} {...common} name="password" data-autofocus={first} />}
      </Field>
      <Field label={again} error={problems.confirmation}>
        {(control) => <PasswordInput {...control} {...common} name="confirmation" />}
      </Field>
    </>
  )
}
