import { createLogger } from './logger'
import { loadEnv } from './env'
import { filesBeside } from './program-files'
import { roleFrom } from './roles'
import { runServer } from './run-server'

try {
  const role = roleFrom(process.argv.slice(2))
  const env = loadEnv()
  await runServer({ env, role, files: filesBeside(import.meta.url), logger: createLogger(env) })
} catch (error) {
  // What keeps a server from starting is for the one who starts it: the sentence, not the stack.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
