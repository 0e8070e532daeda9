import { Outcome } from './outcome'
import { ResendForm } from './resend-form'
import { ViewLink } from './view-link'

interface RegisteredProps {
  readonly email: string
  /** The server's. */
  readonly message: string | null
}

/** The account is there; the link in the mail makes it one that can log in. */
export const Registered = ({ email, message }: RegisteredProps) => (
  <Outcome
    kind="mail"
    title="Check your inbox"
    actions={
      <>
        <ViewLink to="login" look="button">
          Proceed to Login
        </ViewLink>
        <ResendForm email={email} />
      </>
    }
  >
    {message !== null && <p>{message}</p>}
    <p>
      The link goes to <strong>{email}</strong>. If it does not arrive within a few minutes, look into the spam folder.
    </p>
    <p>Open it in this browser, and you are done. Any other browser asks for your password.</p>
  </Outcome>
)
