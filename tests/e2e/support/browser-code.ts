import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** A module of tests/e2e/support/in-browser with everything it imports, as a script that a browser can evaluate. */
export async function browserCode(name: string): Promise<string> {
  const entry = fileURLToPath(new URL(`in-browser/${name}.ts`, import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const [script] = outputFiles
  if (script === undefined) throw new Error(`esbuild made nothing of ${name}.`)
  return script.text
}
