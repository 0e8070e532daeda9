import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild, untilReady, type Child } from './support/child'
import { freePort } from './support/free-port'
import { expect, test } from './support/test'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What `npm start` runs, where everything is installed and built. */
function start(data: string, port: number): Child {
  const env = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: data, DATABASE_URL: '', MARKET_DATA: 'simulated' }
  return startChild([join(root, 'server/cli/start.mjs')], env, root)
}

test('npm start is ready in time, stops cleanly, and keeps its folder to itself', async () => {
  const data = mkdtempSync(join(tmpdir(), 'e2e-start-'))
  const port = await freePort()
  for (const { database, limit } of [
    { database: 'a new database', limit: 15_000 },
    { database: 'an old database', limit: 5_000 },
  ]) {
    await test.step(database, async () => {
      const begun = performance.now()
      const server = start(data, port)
      await untilReady(server, `http://127.0.0.1:${port}/readyz`, limit)
      console.log(`ready on ${database} after ${Math.round(performance.now() - begun)} ms`)
      expect(server.output(), 'the sources have not changed since the build').not.toContain('Building')
      expect(server.output()).toContain(`http://localhost:${port}`)

      const second = start(data, await freePort())
      await expect.poll(() => second.process.exitCode, 'a second server on the folder is refused').not.toBeNull()
      expect(second.process.exitCode).not.toBe(0)
      expect(second.output()).toContain(data)

      expect(await server.end('SIGTERM')).toBe(0)
    })
  }
  rmSync(data, { recursive: true })
})
