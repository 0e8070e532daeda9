import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild, untilReady, type Child } from '../support/child'
import { freePort } from '../support/free-port'
import { expect, test } from '../support/test'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The command that `npm start` runs once packages are installed and the app is built. */
function start(data: string, port: number): Child {
  const env = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: data, DATABASE_URL: '', MARKET_DATA: 'simulated' }
  return startChild([join(root, 'server/cli/start.mjs')], env, root)
}

/** One start on this folder, within `limit` milliseconds; meanwhile a second one there is refused. */
async function startOnce(data: string, limit: number): Promise<number> {
  const port = await freePort()
  const begun = performance.now()
  const server = start(data, port)
  try {
    await untilReady(server, `http://127.0.0.1:${port}/readyz`, limit)
    const took = performance.now() - begun
    expect(server.output(), 'the sources have not changed since the build').not.toContain('Building')
    expect(server.output()).toContain(`http://localhost:${port}`)

    const second = start(data, await freePort())
    await expect.poll(() => second.process.exitCode, 'a second server on the folder is refused').not.toBeNull()
    expect(second.process.exitCode).not.toBe(0)
    expect(second.output()).toContain(data)

    expect(await server.end('SIGTERM')).toBe(0)
    return took
  } finally {
    await server.end('SIGKILL')
  }
}

test('npm start is ready in time, stops cleanly and refuses a second server on its data folder', async () => {
  const data = mkdtempSync(join(tmpdir(), 'e2e-start-'))
  const fresh = await startOnce(data, 15_000)
  const again = await startOnce(data, 5_000)
  console.log(`ready on a new database after ${Math.round(fresh)} ms, on an old one after ${Math.round(again)} ms`)
  rmSync(data, { recursive: true })
})
