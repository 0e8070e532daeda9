import { LinkButton } from '../../ui/button'
import { FormNote } from '../../ui/form'
import { FormResult, ProceedToLogin, ViewLink } from './form-result'
import { ResendForm } from './resend-form'

/** The account exists, and can log in once the link in the mail has been followed. `message` is the server's. */
export const Registered = ({ email, message }: { readonly email: string; readonly message: string }) => (
  <FormResult
    kind="mail"
    title="Check your inbox"
    actions={
      <>
        <ProceedToLogin />
        <ResendForm email={email} />
      </>
    }
  >
    {message !== '' && <p>{message}</p>}
    <p>
      The link goes to <strong>{email}</strong>. If it does not arrive within a few minutes, look into the spam folder.
    </p>
    <p>Open it in this browser, and you are done. Any other browser asks for your password.</p>
  </FormResult>
)

/** The password was right, but the link in the verification mail has not been followed yet. */
export const Unverified = ({ email, onBack }: { readonly email: string; readonly onBack: () => void }) => (
  <FormResult
    kind="mail"
    title="Verify your email first"
    actions={
      <>
        <ResendForm email={email} />
        <p>
          <LinkButton onClick={onBack}>Back to login</LinkButton>
        </p>
      </>
    }
  >
    <p>
      <strong>{email}</strong> has not been verified yet. Open the link in the email we sent you, then log in.
    </p>
  </FormResult>
)

/** Ways on for a user whose address has an account with another password. */
export const RegisteredAlready = () => (
  <FormNote tone="error">
    <p>
      Email already registered. If you have just registered, check your inbox for the verification email. Otherwise{' '}
      <ViewLink to="login">log in</ViewLink> or <ViewLink to="forgotPassword">reset your password</ViewLink>.
    </p>
  </FormNote>
)
