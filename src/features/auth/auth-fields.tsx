import { Field, TextInput } from '../../ui/field'

interface EmailFieldProps {
  /** Password managers look for `username` beside a password. */
  readonly autoComplete: 'username' | 'email'
  readonly error: string | undefined
  readonly defaultValue?: string
  readonly readOnly: boolean
  /** The key of a phone's keyboard; absent: the form has no other field. */
  readonly enterKeyHint?: 'next'
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

/** One @ with something before it, and a name with a dot after it; the server checks more. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/

export const INVALID_EMAIL = 'Enter a valid email address.'

/**
 * Fault of an email address, as a sentence; undefined: none. The browser has trimmed the address.
 * @param missing sentence about an empty field
 */
export function emailProblem(email: string, missing = 'Email is required.'): string | undefined {
  if (email === '') return missing
  return ADDRESS.test(email) ? undefined : INVALID_EMAIL
}
