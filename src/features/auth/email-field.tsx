import { Field, TextInput } from '../../ui/field'

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
