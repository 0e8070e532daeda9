import { writeBackup } from '../backups/write-backup'
import { loadEnv } from '../env'
import { keepPrivate } from '../private-files'
import { filesBeside } from '../program-files'
import { backupArguments, fromUser, runCommandLine } from './command-line'

/* The program that writes a backup, beside a running server or without one. */

await runCommandLine(async (args) => {
  const { file, withSecrets } = backupArguments(args)
  const env = loadEnv()
  keepPrivate(env.DATA_DIR)
  const { end, bytes } = await writeBackup(env, filesBeside(import.meta.url), fromUser(file), withSecrets)
  const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0)
  process.stdout.write(
    `Backup written to ${file}: ${rows} rows of ${Object.keys(end.rows).length} tables, ${(bytes / 1e6).toFixed(1)} MB.\n`,
  )
  return true
})
