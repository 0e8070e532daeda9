import { Field, TextInput } from '../../ui/field'
import { SHORTEST_PASSWORD } from '../../domain/account'
import { PasswordInput } from '../../ui/password-input'

interface EmailFieldProps {
  /** `username` where a password belongs to it: that is what password managers look for. */
  readonly autoComplete: 'username' | 'email'
  readonly error: string | undefined
  readonly defaultValue?: string | undefined
  readonly readOnly?: boolean
}

export const EmailField = ({ error, ...rest }: EmailFieldProps) => (
  <Field label="Email" error={error}>
    {(control) => (
      <TextInput
        {...control}
        {...rest}
        type="email"
        name="email"
        inputMode="email"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        data-autofocus
      />
    )}
  </Field>
)

interface NewPasswordFieldsProps {
  readonly problems: { readonly password?: string | undefined; readonly confirmation?: string | undefined }
  readonly readOnly: boolean
  /** True if the password is the first field of the form. */
  readonly first?: boolean
}

/** A password that somebody chooses, twice. */
export function NewPasswordFields({ problems, readOnly, first = false }: NewPasswordFieldsProps) {
  const common = { autoComplete: 'new-password', readOnly, required: true } as const
  return (
    <>
      <Field label="Password" hint={`At least ${SHORTEST_PASSWORD} characters.`} error={problems.password}>
        {(control) => (
          <PasswordInput {...control} {...common} name="password" {...(first && { 'data-autofocus': true })} />
        )}
      </Field>
      <Field label="Confirm password" error={problems.confirmation}>
        {(control) => <PasswordInput {...control} {...common} name="confirmation" />}
      </Field>
    </>
  )
}

/** One @ with something before it, and a name with a dot after it; the server looks closer. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/

export const INVALID_EMAIL = 'Enter a valid email address.'

/**
 * Fault of an email address, as a sentence; undefined: none. The browser has taken white space off its ends.
 * @param missing what to say of none
 */
export function emailProblem(email: string, missing = 'Email is required.'): string | undefined {
  if (email === '') return missing
  return ADDRESS.test(email) ? undefined : INVALID_EMAIL
}
