import type { Identified } from '../../adapters/identity-provider/provider'

const CONSUMER_DOMAINS: readonly string[] = ['gmail.com', 'googlemail.com']

/**
 * True if Google itself runs the mailbox of the address: a consumer account, or a Workspace account of the address's own
 * domain (`hd`). Any other `email_verified` says only that the person read that mailbox once; it may belong to somebody
 * else today (developers.google.com/identity/gsi/web/guides/verify-google-id-token).
 */
export function runsMailbox({ email, hostedDomain }: Pick<Identified, 'email' | 'hostedDomain'>): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return CONSUMER_DOMAINS.includes(domain) || hostedDomain?.toLowerCase() === domain
}
