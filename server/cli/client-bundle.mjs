import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { budgetOf } from '../../tests/support/budgets.mjs'
import { projectRoot } from './run-command.mjs'

/** The line of tests/budgets.json: bytes of gzip of all JavaScript that the dashboard needs before it can paint. */
export const FIRST_ROUTE = 'first route, bytes of gzip'
/** Bytes: what a small capability takes. */
const NEXT_CHANGE = 3000

/** The first route needs these before it paints, also if they were split off one day. */
const PAINTING = ['src/features/dashboard/dashboard.tsx', 'src/features/widget-card/widget-card.tsx']

const client = join(projectRoot, 'dist/client')
export const chunkManifestFile = join(projectRoot, 'dist/client-manifest.json')

/**
 * The first route's files: the scripts of index.html, the chunks named above, and everything that they import statically.
 *
 * @returns {{ files: { file: string, gzip: number, brotli: number }[], gzip: number, brotli: number }} bytes, as the server
 *   sends them: the highest levels of both (gzip 9, brotli 11)
 */
export function firstRouteSize() {
  /** @type {Record<string, { file: string, imports?: string[] }>} */
  const manifest = JSON.parse(readFileSync(chunkManifestFile, 'utf8'))
  const html = readFileSync(join(client, 'index.html'), 'utf8')
  const scripts = [...html.matchAll(/<(?:script|link rel="modulepreload")[^>]*\s(?:src|href)="\/([^"]+\.js)"/g)]
  if (scripts.length === 0) throw new Error('index.html loads no script')

  const chunkOf = new Map(Object.values(manifest).map((chunk) => [chunk.file, chunk]))
  /** @type {Set<string>} */
  const files = new Set()
  const waiting = scripts.map(([, file = '']) => file)
  waiting.push(...PAINTING.flatMap((key) => manifest[key]?.file ?? []))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    files.add(file)
    waiting.push(...(chunkOf.get(file)?.imports ?? []).flatMap((key) => manifest[key]?.file ?? []))
  }
  const inlineScripts = Array.from(html.matchAll(/<script>([^]*?)<\/script>/g), ([, script]) => script).join('')
  const sizes = [...files]
    .map((file) => ({ file, ...weigh(readFileSync(join(client, file))) }))
    .concat({ file: 'scripts inside index.html', ...weigh(inlineScripts) })
    .toSorted((a, b) => b.gzip - a.gzip)
  const sum = (/** @type {'gzip' | 'brotli'} */ encoding) => sizes.reduce((total, entry) => total + entry[encoding], 0)
  return { files: sizes, gzip: sum('gzip'), brotli: sum('brotli') }
}

/** @param {string | Buffer} content */
const weigh = (content) => ({
  gzip: gzipSync(content, { level: 9 }).byteLength,
  // Brotli's default level is its highest, 11.
  brotli: brotliCompressSync(content).byteLength,
})

/** @returns {string} one line a file, then the sums, and what is free of the limit */
export function firstRouteReport() {
  const { files, gzip, brotli } = firstRouteSize()
  const { limit } = budgetOf(FIRST_ROUTE)
  const free = limit - gzip
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1).padStart(7)} kB`
  return [
    'JavaScript that the first route needs to paint, gzip and brotli:',
    ...files.map((entry) => `${kilobytes(entry.gzip)} ${kilobytes(entry.brotli)}  ${entry.file}`),
    `${kilobytes(gzip)} ${kilobytes(brotli)}  together; ${(free / 1000).toFixed(2)} kB of gzip are free of ${limit / 1000} kB`,
    ...(free < NEXT_CHANGE ? ['Less than 3 kB are free: the next change will not fit.'] : []),
  ].join('\n')
}

/** Pictures and fonts are compressed already. */
const COMPRESSIBLE = /\.(css|html|js|json|svg|txt|webmanifest)$/

/**
 * Writes `file.br` (quality 11) and `file.gz` (level 9) beside each file of the folder that becomes smaller by it. The server
 * sends those, instead of compressing at each request.
 *
 * @param {string} folder
 */
export async function precompress(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(names.map((name) => precompressFile(join(folder, name))))
}

/** @param {string} file */
async function precompressFile(file) {
  const content = readFileSync(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
  }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ])
  if (br.byteLength < content.byteLength) writeFileSync(`${file}.br`, br)
  if (gz.byteLength < content.byteLength) writeFileSync(`${file}.gz`, gz)
}
