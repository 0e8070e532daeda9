import type { OutboxMail } from '../../adapters/mail-transport'
import { escapeHtml, PRODUCT } from '../mail/mail-templates'
import { SANDBOX_PRICE } from './billing/billing'
import type { LedgerCustomer } from './billing/ledger'

const STYLE = `
:root{color-scheme:light dark;--page:#f3f4f7;--card:#fff;--line:#e1e4ea;--control:#868e9e;--text:#171a21;--muted:#545c6b;--accent:#5b45e0;--link:#4f3ad6}
@media(prefers-color-scheme:dark){:root{--page:#0c0f14;--card:#14181f;--line:#242a35;--control:#667085;--text:#edf0f5;--muted:#a3acbd;--accent:#6a58ea;--link:#a99dff}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px 48px;background:var(--page);color:var(--text);font:16px/24px Inter,system-ui,sans-serif}
main{max-width:720px;margin:0 auto;padding:24px;background:var(--card);border:1px solid var(--line);border-radius:12px}
header{max-width:720px;margin:0 auto 16px;color:var(--muted);font-size:14px}
h1{margin:0 0 16px;font-size:22px;line-height:28px}
h2{margin:24px 0 8px;font-size:16px;line-height:24px}
a{color:var(--link)}
p{margin:0 0 16px;overflow-wrap:anywhere}
ul{margin:0;padding:0;list-style:none}
li{padding:12px 0;border-top:1px solid var(--line)}
li small,dt,.muted{color:var(--muted);font-size:14px}
li a{font-weight:600}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0 0 16px}
dd{margin:0;overflow-wrap:anywhere}
pre{margin:0 0 16px;padding:16px;border:1px solid var(--line);border-radius:8px;font:14px/22px ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
iframe{width:100%;height:640px;border:1px solid var(--line);border-radius:8px;background:#fff}
label{display:block;margin-bottom:4px;font-weight:500}
input{width:100%;min-height:44px;margin-bottom:16px;padding:8px 12px;border:1px solid var(--control);border-radius:8px;background:transparent;color:inherit;font:inherit}
button{margin-right:8px;min-height:44px;padding:8px 20px;border:1px solid var(--control);border-radius:8px;background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}
button.main{border-color:var(--accent);background:var(--accent);color:#fff}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
`

/** Markup that is safe as it is; text that people wrote goes through `escapeHtml` on its way into one. */
export interface Markup {
  readonly html: string
}

/** A page of the sandbox: plain HTML, no script. Texts are escaped, markup is not. */
export function sandboxPage(title: string, parts: readonly (string | Markup)[]): string {
  const body = parts
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'string' ? `<p>${escapeHtml(part)}</p>` : part.html))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)} · Sandbox</title>
<link rel="icon" href="/favicon.svg">
<style>${STYLE}</style>
</head>
<body>
<header>Sandbox of ${PRODUCT}: nothing here leaves this machine.</header>
<main>
<h1>${escapeHtml(title)}</h1>
${body.join('\n')}
</main>
</body>
</html>
`
}

/** Page on which the user says who they are. @param email initial value */
export const accountPage = (email: string): string =>
  sandboxPage('Choose a Google account', [
    'This page stands in for Google. Log in as whoever you like: the address counts as verified, and is asked for nothing else.',
    {
      html: `<form method="post">
<label for="email">Email</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email" value="${escapeHtml(email)}" autofocus>
<p><label><input name="elsewhere" type="checkbox"> The mailbox is not run by Google: an account that has this address already is not linked by itself</label></p>
<button class="main" name="decision" value="continue">Continue</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</form>`,
    },
  ])

/** For a visitor who comes back to a login that is over. */
export const outdatedPage = (): string =>
  sandboxPage('This login is over', [
    'It took too long, or was finished already. Go back to the app and begin again.',
    { html: '<p><a href="/login">Back to the app</a></p>' },
  ])

/** Path of the sandbox's mails. */
export const SANDBOX_MAIL = '/sandbox/mail'

export function mailListPage(mails: readonly OutboxMail[]): string {
  const again: Markup = { html: `<p><a href="${SANDBOX_MAIL}">Look again</a></p>` }
  if (mails.length === 0)
    return sandboxPage('Mails', ['No mail has been sent yet. Mails go out within a second or two.', again])
  const items = mails.map(
    ({ id, at, to, subject }) =>
      `<li><a href="${SANDBOX_MAIL}/${id}">${escapeHtml(subject)}</a><br><small>to ${escapeHtml(to)}, ${timeOf(at)}</small></li>`,
  )
  return sandboxPage('Mails', [again, { html: `<ul>${items.join('')}</ul>` }])
}

export function mailPage({ id, at, to, replyTo, subject, text }: OutboxMail): string {
  const fields = [['To', to], ['Sent', null], ...(replyTo === undefined ? [] : [['Reply to', replyTo]])] as const
  const rows = fields.map(
    ([name, value]) => `<dt>${name}</dt><dd>${value === null ? timeOf(at) : escapeHtml(value ?? '')}</dd>`,
  )
  return sandboxPage(subject, [
    { html: `<p><a href="${SANDBOX_MAIL}">All mails</a></p><dl>${rows.join('')}</dl>` },
    { html: `<h2>As text</h2><pre>${linked(text)}</pre>` },
    {
      html: `<h2>As HTML</h2><iframe src="${SANDBOX_MAIL}/${id}/html" title="The mail as HTML" sandbox="allow-top-navigation-by-user-activation allow-popups"></iframe>`,
    },
  ])
}

const timeOf = (at: string): string =>
  `<time datetime="${escapeHtml(at)}">${escapeHtml(at.slice(0, 19).replace('T', ' '))} UTC</time>`

/** Addresses of the web become links, the rest is escaped. */
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, i) => (i % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`))
    .join('')

const PRICE = `${SANDBOX_PRICE.amount} ${SANDBOX_PRICE.currency}`
const EVERY = `every ${SANDBOX_PRICE.interval_count} ${SANDBOX_PRICE.interval}s`

/** Page on which the user subscribes. */
export const checkoutPage = (): string =>
  sandboxPage('Premium', [
    'This page stands in for Stripe Checkout. No card is asked for, and nothing is charged.',
    {
      html: `<dl><dt>Price</dt><dd>${PRICE} ${EVERY}</dd><dt>Renewal</dt><dd>by itself, until canceled</dd></dl>`,
    },
    {
      html: `<form method="post">
<button class="main" name="decision" value="pay">Pay</button>
<button name="decision" value="cancel">Cancel</button>
</form>`,
    },
  ])

/** Page on which the user sees and ends the subscription. @param returnUrl page they came from */
export function portalPage({ email, subscriptions, invoices }: LedgerCustomer, returnUrl: string): string {
  const running = subscriptions.find(({ status }) => status === 'active')
  const plan: readonly (string | Markup)[] =
    running === undefined
      ? ['No subscription.']
      : [
          {
            html: `<dl><dt>Plan</dt><dd>Premium, ${PRICE} ${EVERY}</dd><dt>Renews</dt><dd>${dayOf(running.periodEnd)}</dd></dl>`,
          },
          { html: '<form method="post"><button name="decision" value="cancel">Cancel subscription</button></form>' },
          { html: '<p class="muted">It ends at once.</p>' },
        ]
  const paid = invoices.toReversed().map(({ paidAt }) => `<li>${dayOf(paidAt)}: ${PRICE}, paid</li>`)
  return sandboxPage('Billing', [
    'This page stands in for Stripe’s customer portal.',
    { html: `<dl><dt>Customer</dt><dd>${escapeHtml(email)}</dd></dl>` },
    ...plan,
    { html: `<h2>Invoices</h2>${paid.length === 0 ? '<p>None yet.</p>' : `<ul>${paid.join('')}</ul>`}` },
    { html: `<p><a href="${escapeHtml(returnUrl)}">Back to the app</a></p>` },
  ])
}

/** For a visitor who comes back to a page that was used. */
export const outdatedBillingPage = (): string =>
  sandboxPage('This page is over', [
    'It was used already, or is too old.',
    { html: '<p><a href="/settings">Back to the app</a></p>' },
  ])

const dayOf = (instant: number): string => {
  const day = new Date(instant).toISOString().slice(0, 10)
  return `<time datetime="${day}">${day}</time>`
}
