import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newGuest } from './support/test-app'
import { runSuperuser, startServer } from './support/server-process'
import { emptyFolder, readyFolder } from './support/test-storage'

/** Paths in the folder to which others than their owner have any permission. */
function open(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => (lstatSync(join(folder, path)).mode & 0o077) !== 0)
    .toSorted()
}

test('no file or folder that the server process makes in DATA_DIR is accessible to others, nor DATA_DIR itself', async () => {
  const storage = emptyFolder()
  onTestFinished(() => storage.remove())
  const folder = join(storage.variables['DATA_DIR']!, 'made/by-the-server')
  const server = await startServer({ ...storage.variables, DATA_DIR: folder })
  const sent = await fetch(`${server.url}/api/v1/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-anonymous-user-id': newGuest() },
    body: JSON.stringify({ message: 'A message that becomes a mail in the sandbox.' }),
  })
  expect(sent.ok).toBe(true)
  await expect.poll(() => existsSync(join(folder, 'mails')), { timeout: 30_000 }).toBe(true)
  await server.end('SIGTERM')
  expect(open(folder)).toEqual([])
  expect(lstatSync(folder).mode & 0o077).toBe(0)
  expect(existsSync(join(folder, 'postgres/pg_wal'))).toBe(true)
})

test.each([
  [
    'server',
    (variables: Readonly<Record<string, string>>) =>
      startServer(variables).then(async (server) => void (await server.end('SIGTERM'))),
  ],
  [
    'superuser program',
    (variables: Readonly<Record<string, string>>) =>
      runSuperuser(variables, ['appoint', 'a@b.example']).then(() => undefined),
  ],
])('a start of the %s takes the files of an existing DATA_DIR from other users', async (_program, run) => {
  const storage = await readyFolder()
  onTestFinished(() => storage.remove())
  const folder = storage.variables['DATA_DIR']!
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const whole = join(folder, path)
    chmodSync(whole, lstatSync(whole).isDirectory() ? 0o755 : 0o666)
  }
  expect(open(folder).length).toBeGreaterThan(900)
  await run(storage.variables)
  expect(open(folder)).toEqual([])
  expect(lstatSync(folder).mode & 0o777).toBe(0o700)
})
