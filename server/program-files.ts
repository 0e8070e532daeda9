import { fileURLToPath } from 'node:url'

/** Put in by server/cli/server-bundle.mjs; absent where tests run from source. */
declare const BUILD: { readonly version: string; readonly commit: string } | undefined

const build = typeof BUILD === 'undefined' ? { version: '0.0.0', commit: 'unknown' } : BUILD

/** The version of package.json, shown to users. */
export const VERSION = build.version
/** The commit that was built, shown to superusers and to monitoring; `unknown` without a repository. */
export const COMMIT = build.commit

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
