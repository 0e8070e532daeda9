import { escapeHtml, PRODUCT } from '../mail/letter'

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

/** Markup that is safe as it is; whatever people wrote must go through `escapeHtml` on its way into one. */
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
