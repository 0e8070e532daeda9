import { fileURLToPath } from 'node:url'

/** Shown to users and to monitoring; the same as in package.json. */
export const VERSION = '1.0.0'

/**
 * The places of the program's own files. The built bundle and the tests, which run from source, give different places, so
 * nothing below looks for them by itself.
 */
export interface ProgramFiles {
  /** The bundled server/db/pglite-worker.ts. */
  readonly pgliteWorker: URL
  /** The bundled server/adapters/market-stream/exchange-worker.ts. */
  readonly exchangeWorker: URL
  /** The bundled server/programs/backup.ts. */
  readonly backup: string
  /** Folder with Drizzle's generated migrations. */
  readonly migrations: string
  /** Folder with the texts that users accept. */
  readonly policies: string
  /** Folder with the built client; null serves the API alone. */
  readonly client: string | null
}

/**
 * The files as the build puts them, beside its bundles.
 * @param bundle the address of one of these
 */
export const filesBeside = (bundle: string): ProgramFiles => ({
  pgliteWorker: new URL('./pglite-worker.js', bundle),
  exchangeWorker: new URL('./exchange-worker.js', bundle),
  backup: fileURLToPath(new URL('./backup.js', bundle)),
  migrations: fileURLToPath(new URL('./migrations', bundle)),
  policies: fileURLToPath(new URL('./policies', bundle)),
  client: fileURLToPath(new URL('../client', bundle)),
})
