import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Sources for `script-src` that allow the inline scripts of the built page, each by its hash, and no others. */
export function inlineScriptSources(client: string | null | undefined): readonly string[] {
  const page = client == null ? null : join(client, 'index.html')
  if (page === null || !existsSync(page)) return []
  const scripts = readFileSync(page, 'utf8').matchAll(/<script>([^]*?)<\/script>/g)
  return Array.from(scripts, ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}
