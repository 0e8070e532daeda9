/** Content of a mail, in a form that becomes plain text as well as HTML. */
export interface MailTemplate {
  readonly subject: string
  /** Absent: the subject. */
  readonly heading?: string | undefined
  /** Before the button. May hold anything that people typed. */
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  /** After the button, smaller. */
  readonly notes: readonly string[]
}

export const PRODUCT = 'Crypto Ratio Tracker'

export function templateAsText({ subject, heading = subject, paragraphs, action, notes }: MailTemplate): string {
  const link = action === undefined ? [] : [`${action.label}:\n${action.url}`]
  return `${[heading, ...paragraphs, ...link, ...notes, `-- \n${PRODUCT}`].join('\n\n')}\n`
}

/** Text as it may stand in HTML, in an attribute's quotes as well. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')

/** Mail programs know tables and inline styles, and little else. */
export function templateAsHtml({ subject, heading = subject, paragraphs, action, notes }: MailTemplate): string {
  const body = paragraphs.map((text) => `<p style="margin:0 0 16px">${lines(text)}</p>`).join('\n')
  const small = notes
    .map((text) => `<p style="margin:0 0 12px;font-size:13px;line-height:20px;color:#545c6b">${lines(text)}</p>`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;background:#f3f4f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e1e4ea;border-radius:12px">
<tr><td style="padding:32px;font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:24px;color:#171a21">
<p style="margin:0 0 24px;font-size:13px;line-height:20px;font-weight:600;color:#4f3ad6">${PRODUCT}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:680">${escapeHtml(heading)}</h1>
${body}${action === undefined ? '' : `\n${button(action)}`}
${small}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** The link stands below in full: some people do not trust buttons, and some programs do not show them. */
const button = ({ label, url }: NonNullable<MailTemplate['action']>): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 24px;background:#5b45e0;border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0 0 24px;font-size:13px;line-height:20px;color:#545c6b">Or open this address:<br><a href="${escapeHtml(url)}" style="color:#4f3ad6;word-break:break-all">${escapeHtml(url)}</a></p>`
