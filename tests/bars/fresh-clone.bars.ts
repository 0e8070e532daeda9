import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChild, untilReady } from '../e2e/support/child'
import { freePort } from '../e2e/support/free-port'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Milliseconds: an install may be slow, and is not what is measured. */
const START_TIMEOUT_MS = 10 * 60_000

let clone: string
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'fresh-clone-'))
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

/** Starts the clone's server and waits for it; milliseconds, and how it ended. */
async function startAndStop(data: string): Promise<{ took: number; output: string }> {
  const port = await freePort()
  const env = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: data, DATABASE_URL: '', MARKET_DATA: 'simulated' }
  const begun = performance.now()
  const server = startChild([join(clone, 'server/cli/start.mjs')], env, clone)
  await untilReady(server, `http://127.0.0.1:${port}/readyz`, START_TIMEOUT_MS)
  const took = performance.now() - begun
  expect(await server.end('SIGTERM')).toBe(0)
  return { took, output: server.output() }
}

it('the first start of a fresh clone installs, builds and serves; later starts do neither install nor build, and take seconds', async () => {
  const first = await startAndStop(join(clone, '.data'))
  expect(first.output).toContain('Installing')
  expect(first.output).toContain('Building')
  expect(first.output).not.toMatch(/EBADENGINE|npm warn deprecated/)

  const fresh = await startAndStop(join(clone, '.data-new'))
  const again = await startAndStop(join(clone, '.data-new'))
  const seconds = [first, fresh, again].map(({ took }) => (took / 1000).toFixed(1))
  console.log(`from nothing ${seconds[0]} s, new database ${seconds[1]} s, old database ${seconds[2]} s`)
  expect(fresh.output + again.output).not.toMatch(/Installing|Building/)
  expect(fresh.took).toBeLessThan(15_000)
  expect(again.took).toBeLessThan(5_000)
})
