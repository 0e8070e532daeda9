/**
 * Where the program's own files lie. The built bundle and the tests, which run from source, give different places, so
 * nothing below looks for them by itself.
 */
export interface ProgramFiles {
  /** The bundled server/db/pglite-worker.ts. */
  readonly pgliteWorker: URL
  /** Folder with Drizzle's generated migrations. */
  readonly migrations: string
  /** Folder with the texts that users accept. */
  readonly policies: string
  /** Folder with the built client; null serves the API alone. */
  readonly client: string | null
}
