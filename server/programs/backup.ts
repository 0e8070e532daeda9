import { resolve } from 'node:path'
import { messageOf } from '../../src/domain/error-message'
import { backupArguments } from '../backups/program-arguments'
import { writeBackup } from '../backups/write-backup'
import { loadEnv } from '../env'
import { keepPrivate } from '../private-files'
import { filesBeside } from '../program-files'

/* The program that writes a backup, beside a running server or without one. */

/** npm runs programs in the project's folder; the file is meant from where the user stands. */
const INVOKED_FROM = process.env['INIT_CWD'] ?? process.cwd()

async function run(args: readonly string[]): Promise<void> {
  const { file, withSecrets } = backupArguments(args)
  const env = loadEnv()
  keepPrivate(env.DATA_DIR)
  const { end, bytes } = await writeBackup(env, filesBeside(import.meta.url), resolve(INVOKED_FROM, file), withSecrets)
  const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0)
  process.stdout.write(
    `Backup written to ${file}: ${rows} rows of ${Object.keys(end.rows).length} tables, ${(bytes / 1e6).toFixed(1)} MB.\n`,
  )
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
