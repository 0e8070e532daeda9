import { restoreBackup } from '../backups/restore-backup'
import { loadEnv } from '../env'
import { keepPrivate } from '../private-files'
import { filesBeside } from '../program-files'
import { fromUser, restoreArguments, runCommandLine } from './command-line'

/* The program that restores a backup into an empty place; the server is started afterwards. */

await runCommandLine(async (args) => {
  const file = restoreArguments(args)
  const env = loadEnv()
  keepPrivate(env.DATA_DIR)
  const { rows } = await restoreBackup(env, filesBeside(import.meta.url), fromUser(file))
  const count = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const place = env.DATABASE_URL === undefined ? env.DATA_DIR : 'the database that DATABASE_URL names'
  process.stdout.write(`Restored ${count} rows of ${Object.keys(rows).length} tables into ${place}.\n`)
  return true
})
