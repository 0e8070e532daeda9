import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium, type Page } from 'playwright/test'
import { BROWSER_FLAGS, requireChromium } from '../../browser.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const inBrowser = join(root, 'tests/bench/in-browser')

const HTML = `<!doctype html><meta charset="utf-8"><title>Bench</title>
<link rel="stylesheet" href="/page.css"><style>body { margin: 0; background: #fff }</style>
<script type="module" src="/page.js"></script>`

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Page and workers as they are shipped: minified, the development checks of libraries left out. */
async function bundle(): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: {
      page: join(inBrowser, 'page.ts'),
      'job-worker': join(inBrowser, 'job-worker.ts'),
      'pairs-worker': join(inBrowser, 'pairs-worker.ts'),
      'app-worker': join(root, 'workers/worker.ts'),
    },
    outdir: join(root, 'bench'),
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'chrome120',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const files = outputFiles.map(({ path, contents }) => [`/${basename(path)}`, contents] as const)
  return new Map([...files, ['/', new TextEncoder().encode(HTML)]])
}

/** Isolated from other origins, a page's clock ticks in 5 µs instead of 100. */
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

async function serve(files: ReadonlyMap<string, Uint8Array>): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const body = files.get(path)
    response.writeHead(body === undefined ? 404 : 200, {
      'Content-Type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream',
      ...ISOLATION,
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

export interface BenchPage {
  readonly page: Page
  close(): Promise<void>
}

/** Chromium on a page that has the charts, the libraries and a filled database, and whose clock is fine. */
export async function openBenchPage(): Promise<BenchPage> {
  const server = await serve(await bundle())
  const browser = await chromium.launch({ executablePath: requireChromium(), args: BROWSER_FLAGS })
  const page = await browser.newPage({ viewport: { width: 1280, height: 600 }, colorScheme: 'light' })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page
    .waitForFunction(() => globalThis.bench !== undefined, undefined, { timeout: 30_000 })
    .catch((error: unknown) => {
      throw new Error(`The bench's page did not start.\n${problems.join('\n')}`, { cause: error })
    })
  return {
    page,
    async close() {
      await browser.close()
      server.close()
      if (problems.length > 0) throw new Error(`Errors on the bench's page:\n${problems.join('\n')}`)
    },
  }
}
