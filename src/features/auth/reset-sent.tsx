import { Outcome } from './outcome'
import { ViewLink } from './view-link'

const SENT = 'If an account with this email exists, a link to reset its password is on its way.'

/** A link that sets another password has been asked for; `message` is the server's, empty where it had none. */
export const ResetSent = ({ message }: { readonly message: string }) => (
  <Outcome kind="mail" title="Check your inbox" actions={<ViewLink to="login">Back to login</ViewLink>}>
    <p>{message === '' ? SENT : message}</p>
    <p>The link works once, for an hour. Nothing there? Look into the spam folder.</p>
  </Outcome>
)
