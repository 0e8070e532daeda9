import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { projectRoot } from './run-command.mjs'

/** Bytes of gzip: all JavaScript that the dashboard needs before it can paint. */
export const FIRST_ROUTE_BUDGET = 140_000

/** The page's entry, and the modules that the first route loads lazily before it paints (where they are chunks). */
const PAINTING = ['index.html', 'src/features/dashboard/dashboard.tsx']

export const chunkManifestFile = join(projectRoot, 'dist', 'client-manifest.json')

/** @typedef {{ file: string, imports?: string[], dynamicImports?: string[] }} Chunk as Vite's manifest has it */

/**
 * The first route's chunks: those named above and everything that they import statically.
 *
 * @returns {{ files: { file: string, gzip: number }[], gzip: number }} sizes in bytes of gzip
 */
export function firstRouteSize() {
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(chunkManifestFile, 'utf8'))
  /** @type {Set<string>} */
  const seen = new Set()
  const waiting = PAINTING.filter((key) => key in manifest)
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (seen.has(key)) continue
    seen.add(key)
    waiting.push(...(manifest[key]?.imports ?? []))
  }
  const files = [...seen]
    .map((key) => manifest[key]?.file ?? '')
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({ file, gzip: gzipSync(readFileSync(join(projectRoot, 'dist/client', file))).byteLength }))
    .toSorted((a, b) => b.gzip - a.gzip)
  return { files, gzip: files.reduce((sum, { gzip }) => sum + gzip, 0) }
}

/** @returns {string} one line a chunk, then the sum against the budget */
export function firstRouteReport() {
  const { files, gzip } = firstRouteSize()
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1).padStart(7)} kB`
  return [
    'JavaScript that the first route needs to paint, gzip:',
    ...files.map((entry) => `${kilobytes(entry.gzip)}  ${entry.file}`),
    `${kilobytes(gzip)}  of ${FIRST_ROUTE_BUDGET / 1000} kB`,
  ].join('\n')
}
