import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadEnv } from '../../server/env'
import { sharedVapid } from '../../server/services/push/vapid-keys'
import { isVapidPair, newVapidKeys } from '../../server/vapid'
import { withDatabase } from './support/for-file'

const database = withDatabase()
let folders: string[]
beforeEach(() => {
  folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'ratio-shared-vapid-')))
})
afterEach(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await database.pool.query('DELETE FROM vapid_keys')
})

const variables = ({ publicKey, privateKey } = newVapidKeys()) => ({
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
})
/** VAPID pair with which a server process on a machine of its own starts. */
const start = (machine: 0 | 1, given: Record<string, string> = {}) =>
  sharedVapid(loadEnv({ DATA_DIR: folders[machine]!, ...given }), { ...database, engine: 'postgres' })
const keep = (machine: 0 | 1) => {
  const pair = newVapidKeys()
  writeFileSync(join(folders[machine]!, 'vapid-keys.json'), JSON.stringify(pair))
  return pair
}

test('processes on several machines that share a database introduce themselves by one VAPID pair, however many start at once', async () => {
  const all = await Promise.all([start(0), start(1), start(0), start(1)])
  expect(new Set(all.map(({ privateKey }) => privateKey)).size).toBe(1)
  expect(isVapidPair(all[0])).toBe(true)
  expect(existsSync(join(folders[0]!, 'vapid-keys.json'))).toBe(false)
})

test('the VAPID pair in a data folder moves into the database at the first start there, and its file stays', async () => {
  const pair = keep(0)
  expect(await start(0)).toMatchObject(pair)
  expect(await start(1)).toMatchObject(pair)
  expect(JSON.parse(readFileSync(join(folders[0]!, 'vapid-keys.json'), 'utf8'))).toEqual(pair)
})

test('a process whose data folder holds another VAPID pair than the database uses that of the database', async () => {
  const [first] = [keep(0), keep(1)]
  await start(0)
  expect(await start(1)).toMatchObject(first)
})

test('a process without VAPID variables does not start beside processes that were given a pair by variables', async () => {
  const given = variables()
  expect((await start(0, given)).publicKey).toBe(given.VAPID_PUBLIC_KEY)
  await expect(start(1)).rejects.toThrow('VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: must be set')
  expect((await start(1, given)).privateKey).toBe(given.VAPID_PRIVATE_KEY)
  const { rows } = await database.pool.query('SELECT private_key FROM vapid_keys')
  expect(rows).toEqual([{ private_key: null }])
})

test('a process with other VAPID variables than the processes before it does not start, whether that pair was given or made', async () => {
  await start(0)
  await expect(start(1, variables())).rejects.toThrow('VAPID_PUBLIC_KEY: is not the key')
  await database.pool.query('DELETE FROM vapid_keys')
  await start(0, variables())
  await expect(start(1, variables())).rejects.toThrow('VAPID_PUBLIC_KEY: is not the key')
})

test('the pair that was made in the database may be set as variables, and the processes with and without them agree', async () => {
  const made = await start(0)
  expect(await start(1, variables(made))).toEqual(made)
  expect(await start(0)).toEqual(made)
})

test('the one process of an embedded database keeps its VAPID pair in its data folder', async () => {
  const own = await sharedVapid(loadEnv({ DATA_DIR: folders[0]! }), { ...database, engine: 'pglite' })
  expect(JSON.parse(readFileSync(join(folders[0]!, 'vapid-keys.json'), 'utf8'))).toEqual({
    publicKey: own.publicKey,
    privateKey: own.privateKey,
  })
})
