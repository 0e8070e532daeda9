import { createLogger } from './logger'
import { loadEnv } from './env'
import { keepPrivate } from './private-files'
import { filesBeside } from './program-files'
import { roleFrom } from './roles'
import { runServer } from './run-server'

try {
  const role = roleFrom(process.argv.slice(2))
  const env = loadEnv()
  const logger = createLogger(env)
  const open = keepPrivate(env.DATA_DIR)
  if (open.length > 0) logger.warn({ files: open.slice(0, 5), count: open.length }, 'other users of this machine may read files of DATA_DIR') // prettier-ignore
  await runServer({ env, role, files: filesBeside(import.meta.url), logger })
} catch (error) {
  // What keeps a server from starting is for the one who starts it: the sentence, not the stack.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
