import { FormNote } from '../../ui/form-note'
import { ViewLink } from './view-link'

/** What somebody can do whose address has an account. */
export const RegisteredAlready = () => (
  <FormNote tone="error">
    <p>
      Email already registered. If you have just registered, check your inbox for the verification email. Otherwise{' '}
      <ViewLink to="login">log in</ViewLink> or <ViewLink to="forgotPassword">reset your password</ViewLink>.
    </p>
  </FormNote>
)
