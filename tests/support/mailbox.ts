import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerError } from 'smtp-server'

/** A mail as it arrived, decoded. */
export interface ReceivedMail {
  /** Of the envelope (RFC 5321), in lower case. */
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** As it came over the wire. */
  readonly raw: string
}

/** A real SMTP server (RFC 5321) that keeps what it is given, and has its bad days. */
export interface Mailbox {
  /** SMTP_URL for a server. */
  readonly url: string
  /** Every mail to an address so far, oldest first. */
  to(address: string): readonly ReceivedMail[]
  all(): readonly ReceivedMail[]
  /** The next mail to an address that nobody has been given by this call, waited for. */
  next(address: string, limit?: number): Promise<ReceivedMail>
  /** From now on each mail is refused at its end with this reply; null takes them again. 4xx: try later, 5xx: never. */
  refuse(code: number | null): void
  /** From now on nobody may send here: each sender is refused with this reply; null welcomes them again. */
  refuseSenders(code: number | null): void
  /** How many deliveries were refused. */
  refused(): number
  stop(): Promise<void>
}

export async function startMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const given = new Set<ReceivedMail>()
  const waiting = new Set<() => void>()
  let refusal: number | null = null
  let senderRefusal: number | null = null
  let refused = 0

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom(_address, _session, done) {
      if (senderRefusal === null) return done()
      refused += 1
      done(Object.assign(new Error('Not you'), { responseCode: senderRefusal }))
    },
    onData(stream, session, done) {
      void receive(
        stream,
        session.envelope.rcptTo.map(({ address }) => address),
      ).then(
        () => done(),
        (error: SMTPServerError) => done(error),
      )
    },
  })

  async function receive(stream: AsyncIterable<Buffer>, recipients: readonly string[]): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    if (refusal !== null) {
      refused += 1
      throw Object.assign(new Error('Not now'), { responseCode: refusal })
    }
    const raw = Buffer.concat(chunks).toString()
    const parsed = await PostalMime.parse(raw)
    const headers = Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]))
    const { subject = '', text = '', html = '' } = parsed
    const from = parsed.from?.address ?? ''
    for (const to of recipients) mails.push({ to: to.toLowerCase(), from, subject, text, html, headers, raw })
    for (const wake of waiting) wake()
  }

  // A client that goes in the middle of a delivery is the server's business under test, not the mailbox's.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo

  const to = (address: string) => mails.filter((mail) => mail.to === address.toLowerCase())
  return {
    url: `smtp://127.0.0.1:${port}`,
    to,
    all: () => mails,
    next: (address, limit = 20_000) =>
      new Promise((resolve, reject) => {
        const tooLate = () => {
          waiting.delete(look)
          const subjects = mails.map((mail) => `${mail.to}: ${mail.subject}`).join('; ')
          reject(new Error(`No further mail came to ${address} within ${limit} ms. There are: ${subjects}`))
        }
        const timer = setTimeout(tooLate, limit)
        const look = () => {
          const found = to(address).find((mail) => !given.has(mail))
          if (found === undefined) return
          given.add(found)
          waiting.delete(look)
          clearTimeout(timer)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    refuse: (code) => {
      refusal = code
    },
    refuseSenders: (code) => {
      senderRefusal = code
    },
    refused: () => refused,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The only link of a mail that leads to `path`, such as "/verify-email"; the same in text and HTML. */
export function linkIn(mail: ReceivedMail, path: string): URL {
  const links = [...mail.text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => new URL(link))
  const found = links.filter(({ pathname }) => pathname === path)
  const [link] = found
  if (link === undefined || found.length > 1) {
    throw new Error(`${found.length} links to ${path} in "${mail.subject}":\n${mail.text}`)
  }
  if (!mail.html.replaceAll('&amp;', '&').includes(link.href)) {
    throw new Error(`The HTML of "${mail.subject}" does not have ${link.href}:\n${mail.html}`)
  }
  return link
}
