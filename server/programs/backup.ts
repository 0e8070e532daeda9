import { writeBackup } from '../backups/write-backup'
import { placeOf } from '../db/place'
import { loadEnv } from '../env'
import { keepPrivate } from '../private-files'
import { filesBeside } from '../program-files'
import { backupArguments, fromUser, runCommandLine } from './command-line'

/* The program that writes a backup, beside a running server or without one. */

await runCommandLine(async (args) => {
  const { file, ...options } = backupArguments(args)
  const env = loadEnv()
  process.stdout.write(`${placeOf(env)}\n`)
  keepPrivate(env.DATA_DIR)
  const { end, bytes } = await writeBackup(env, filesBeside(import.meta.url), fromUser(file), options)
  const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0)
  process.stdout.write(
    `Backup written to ${file}: ${rows} rows of ${Object.keys(end.rows).length} tables, ${(bytes / 1e6).toFixed(1)} MB.\n`,
  )
  return true
})
