import type { KeptMail } from '../../adapters/mail/folder'
import { escapeHtml } from '../mail/letter'
import { type Markup, sandboxPage } from './page'

/** Where the sandbox's mails are read, from the origin. */
export const SANDBOX_MAIL = '/sandbox/mail'

export function mailListPage(mails: readonly KeptMail[]): string {
  const again: Markup = { html: `<p><a href="${SANDBOX_MAIL}">Look again</a></p>` }
  if (mails.length === 0) return sandboxPage('Mails', ['No mail has been sent yet. Mails go out within a second or two.', again]) // prettier-ignore
  const items = mails.map(({ id, at, to, subject }) => `<li><a href="${SANDBOX_MAIL}/${id}">${escapeHtml(subject)}</a><br><small>to ${escapeHtml(to)}, ${timeOf(at)}</small></li>`) // prettier-ignore
  return sandboxPage('Mails', [again, { html: `<ul>${items.join('')}</ul>` }])
}

export function mailPage({ id, at, to, replyTo, subject, text }: KeptMail): string {
  const fields = [['To', to], ['Sent', null], ...(replyTo === undefined ? [] : [['Reply to', replyTo]])] as const // prettier-ignore
  const rows = fields.map(([name, value]) => `<dt>${name}</dt><dd>${value === null ? timeOf(at) : escapeHtml(value ?? '')}</dd>`) // prettier-ignore
  return sandboxPage(subject, [
    { html: `<p><a href="${SANDBOX_MAIL}">All mails</a></p><dl>${rows.join('')}</dl>` },
    { html: `<h2>As text</h2><pre>${linked(text)}</pre>` },
    { html: `<h2>As HTML</h2><iframe src="${SANDBOX_MAIL}/${id}/html" title="The mail as HTML" sandbox="allow-top-navigation-by-user-activation allow-popups"></iframe>` }, // prettier-ignore
  ])
}

const timeOf = (at: string): string => `<time datetime="${escapeHtml(at)}">${escapeHtml(at.slice(0, 19).replace('T', ' '))} UTC</time>` // prettier-ignore

/** Addresses of the web become links, the rest is escaped. */
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, i) => (i % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`))
    .join('')
