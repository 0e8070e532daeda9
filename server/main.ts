import { fileURLToPath } from 'node:url'
import { createLogger } from './logger'
import { loadEnv } from './env'
import type { ProgramFiles } from './program-files'
import { roleFrom } from './roles'
import { runServer } from './run-server'

/** Beside the bundle, where the build puts them. */
const files: ProgramFiles = {
  pgliteWorker: new URL('./pglite-worker.js', import.meta.url),
  migrations: fileURLToPath(new URL('./migrations', import.meta.url)),
  policies: fileURLToPath(new URL('./policies', import.meta.url)),
  client: fileURLToPath(new URL('../client', import.meta.url)),
}

try {
  const role = roleFrom(process.argv.slice(2))
  const env = loadEnv()
  await runServer({ env, role, files, logger: createLogger(env) })
} catch (error) {
  // What keeps a server from starting is for the one who starts it: the sentence, not the stack.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
