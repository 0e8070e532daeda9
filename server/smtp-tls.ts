import { isLoopbackHost } from './addresses'

/**
 * How mails are encrypted on their way to the server of an SMTP_URL: from the first byte, by STARTTLS or not at all
 * (`required`), by STARTTLS where it is offered (`opportunistic`). `unknown`: the URL asks for something else.
 */
export type SmtpTls = 'required' | 'opportunistic' | 'unknown'

/** Options of the mail library by which a URL could switch encryption off, whatever is asked for here. */
const WEAKENS = /^(secure|ignoretls|requiretls|opportunistictls|tls\..*)$/i

export function smtpTls(url: string): SmtpTls {
  const { protocol, hostname, searchParams } = new URL(url)
  const asked = searchParams.get('tls')
  if ([...searchParams.keys()].some((name) => WEAKENS.test(name))) return 'unknown'
  if (asked !== null && asked !== 'opportunistic') return 'unknown'
  if (protocol === 'smtps:') return 'required'
  return asked === 'opportunistic' || isLoopbackHost(hostname) ? 'opportunistic' : 'required'
}

/** The URL as the mail library reads it. */
export function withSmtpTls(url: string, tls: SmtpTls): string {
  const given = new URL(url)
  given.searchParams.delete('tls')
  if (tls === 'required' && given.protocol === 'smtp:') given.searchParams.set('requireTLS', 'true')
  return given.href
}
