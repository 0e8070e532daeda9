/** A mail, ready to go. */
export interface Mail {
  readonly to: string
  /** Whom an answer reaches; the sender's own address unless said otherwise. */
  readonly replyTo?: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Takes mails out of the house. */
export interface MailCarrier {
  /**
   * Resolves once somebody else is responsible for the mail.
   * @throws MailRefused when trying again is pointless, any other error when it is not
   */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The mail was refused for good. Neither this nor its message says whose mail it was: it may go into a log. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}
