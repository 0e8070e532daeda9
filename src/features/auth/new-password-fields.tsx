import { SHORTEST_PASSWORD } from '../../domain/account'
import { Field } from '../../ui/field'
import { PasswordInput } from '../../ui/password-input'

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
