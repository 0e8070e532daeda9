import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillFolder } from './prepared-folder'
import { databaseOnServer } from './database-on-server'
import { TEST_VAPID } from './test-vapid'

export interface TestStorage {
  /** Environment that leads a server to it. */
  readonly variables: Readonly<Record<string, string>>
  remove(): Promise<void>
}

/** An empty folder for the embedded database. */
export function emptyFolder(): TestStorage {
  const folder = mkdtempSync(join(tmpdir(), 'ratio-server-'))
  return { variables: { DATA_DIR: folder }, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

/** A folder whose embedded database has its tables already: a server is ready there in a third of the time. */
export async function readyFolder(): Promise<TestStorage> {
  const storage = emptyFolder()
  await fillFolder(storage.variables['DATA_DIR']!)
  return storage
}

/** An empty database on the server that TEST_DATABASE_URL names. */
export async function emptyDatabase(server: string): Promise<TestStorage> {
  const { url, drop } = await databaseOnServer(server)
  // Secrets of its own would be made in the project's data folder.
  const JWT_SECRET = 'a secret that signs the access tokens of tests'
  return { variables: { DATABASE_URL: url, JWT_SECRET, ...TEST_VAPID }, remove: drop }
}
