import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../server/db/open'
import { newUser } from './support/new-user'
import { fillFolder } from './support/prepared-folder'
import { testProgramFiles } from './support/program-files'
import { runSuperuser, startServer } from './support/server-process'

/** The built program, on the embedded database. */
const DATA_DIR = mkdtempSync(join(tmpdir(), 'ratio-superuser-'))
beforeAll(async () => {
  await fillFolder(DATA_DIR)
  const database = await openDatabase({ DATABASE_URL: undefined, DATA_DIR }, testProgramFiles(), { durable: false })
  await newUser(database, Date.now(), { email: 'Ada@Example.com' })
  await database.close()
})
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

const run = (...args: string[]) => runSuperuser({ DATA_DIR }, args)

test('the superuser command appoints and dismisses by email address, and explains why a change is refused', async () => {
  expect(await run('appoint', 'ada@example.com')).toEqual({
    code: 0,
    output: 'ada@example.com is a superuser from now on.\n',
  })
  expect(await runSuperuser({ DATA_DIR, ADMIN_EMAILS: 'ada@example.com' }, ['dismiss', 'ada@example.com'])).toEqual({
    code: 1,
    output: 'ada@example.com stands in ADMIN_EMAILS, which would appoint it again: take it out there first.\n',
  })
  expect(await run('dismiss', 'ada@example.com')).toEqual({
    code: 0,
    output: 'ada@example.com is no superuser from now on.\n',
  })
  expect(await run('remove-passkeys', 'ada@example.com')).toEqual({
    code: 0,
    output: 'ada@example.com has no passkey.\n',
  })
  expect(await run('appoint', 'bob@example.com')).toEqual({
    code: 1,
    output: 'There is no account of bob@example.com.\n',
  })
})

test('the superuser command prints its usage for wrong arguments, and names a wrong environment variable', async () => {
  const usage = { code: 1, output: 'Usage: npm run superuser -- appoint|dismiss|remove-passkeys <email>\n' }
  for (const args of [[], ['appoint'], ['ada@example.com', 'appoint'], ['appoint', 'a@example.com', 'b@example.com']]) {
    expect(await run(...args)).toEqual(usage)
  }
  const wrong = await runSuperuser({ DATA_DIR, FREE_MAX_WIDGETS: '0' }, ['appoint', 'ada@example.com'])
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringMatching(/^FREE_MAX_WIDGETS: /)])
})

test('the superuser command exits with code 1 while a server uses the embedded database, and the server stays ready', async () => {
  const server = await startServer({ DATA_DIR })
  expect(await run('appoint', 'ada@example.com')).toEqual({
    code: 1,
    output: `The embedded database in ${DATA_DIR} is in use by a running server. Stop the server first. (With DATABASE_URL, it may go on running.)\n`,
  })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  await server.end('SIGKILL')
})
