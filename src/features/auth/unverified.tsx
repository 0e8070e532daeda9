import { LinkButton } from '../../ui/link-button'
import { Outcome } from './outcome'
import { ResendForm } from './resend-form'

interface UnverifiedProps {
  readonly email: string
  readonly onBack: () => void
}

/** The password was right, but nobody has followed the link to this address yet. */
export const Unverified = ({ email, onBack }: UnverifiedProps) => (
  <Outcome
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
  </Outcome>
)
