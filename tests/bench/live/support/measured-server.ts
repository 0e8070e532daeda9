import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { originOf } from '../../../e2e/support/app-server'
import { freePort } from '../../../e2e/support/free-port'
import { databaseOnServer } from '../../../server/support/database-on-server'
import { fillFolder } from '../../../server/support/prepared-folder'
import { endAll, type InspectedProcess, startInspected } from './inspected-process'

export type Engine = 'PostgreSQL' | 'PGlite'

const SERVER = process.env['TEST_DATABASE_URL'] ?? ''
/** PostgreSQL is measured where TEST_DATABASE_URL names a server. */
export const ENGINES: readonly Engine[] = SERVER === '' ? ['PGlite'] : ['PostgreSQL', 'PGlite']

type Variables = Readonly<Record<string, string>>

/** A database of a measurement's own, and the folder of its servers. */
export interface Storage {
  readonly engine: Engine
  /** Empty for the embedded database. */
  readonly url: string
  readonly variables: Variables
  readonly remove: () => Promise<void>
}

const storages: Storage[] = []

/** Ends every program of a measurement, also of one that failed, and removes its databases. */
export async function cleanUp(): Promise<void> {
  await endAll()
  for (const storage of storages.splice(0)) await storage.remove()
}

export async function newStorage(engine: Engine): Promise<Storage> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-data-'))
  const database = engine === 'PostgreSQL' ? await databaseOnServer(SERVER) : null
  if (database === null) await fillFolder(folder)
  const storage: Storage = {
    engine,
    url: database?.url ?? '',
    variables: { DATA_DIR: folder, DATABASE_URL: database?.url ?? '' },
    remove: async () => {
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  storages.push(storage)
  return storage
}

export interface MeasuredServer {
  /** Such as http://127.0.0.1:41233. */
  readonly origin: string
  readonly process: InspectedProcess
}

/**
 * The built server, as `npm start` runs it, with simulated prices and without limits by address.
 * @param at the port of a server that has ended; a free one otherwise
 */
export async function startMeasured(storage: Storage, variables: Variables = {}, at?: number): Promise<MeasuredServer> {
  const port = at ?? (await freePort())
  const origin = originOf(port)
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: origin,
    MARKET_DATA: 'simulated',
    RATE_LIMIT_FACTOR: '1000000',
    LOG_LEVEL: 'warn',
    ...storage.variables,
    ...variables,
  }
  const { process } = await startInspected(['dist/server/main.js'], env, /Ready at /)
  return { origin, process }
}
