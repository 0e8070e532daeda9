import { resolve } from 'node:path'
import { messageOf } from '../../src/domain/error-message'
import { restoreArguments } from '../backups/program-arguments'
import { restoreBackup } from '../backups/restore-backup'
import { loadEnv } from '../env'
import { keepPrivate } from '../private-files'
import { filesBeside } from '../program-files'

/* The program that restores a backup into an empty place; the server is started afterwards. */

/** npm runs programs in the project's folder; the file is meant from where the user stands. */
const INVOKED_FROM = process.env['INIT_CWD'] ?? process.cwd()

async function run(args: readonly string[]): Promise<void> {
  const file = restoreArguments(args)
  const env = loadEnv()
  keepPrivate(env.DATA_DIR)
  const { rows } = await restoreBackup(env, filesBeside(import.meta.url), resolve(INVOKED_FROM, file))
  const count = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const place = env.DATABASE_URL === undefined ? env.DATA_DIR : 'the database that DATABASE_URL names'
  process.stdout.write(`Restored ${count} rows of ${Object.keys(rows).length} tables into ${place}.\n`)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
