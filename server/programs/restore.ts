import { restoreBackup } from '../backups/restore-backup'
import { placeOf } from '../db/place'
import { loadEnv } from '../env'
import { keepPrivate } from '../private-files'
import { filesBeside } from '../program-files'
import { fromUser, restoreArguments, runCommandLine } from './command-line'

/* The program that restores a backup into an empty place; the server is started afterwards. */

await runCommandLine(async (args) => {
  const { file, withSecrets } = restoreArguments(args)
  const env = loadEnv()
  process.stdout.write(`${placeOf(env)}\n`)
  keepPrivate(env.DATA_DIR)
  const { end, secrets } = await restoreBackup(env, filesBeside(import.meta.url), fromUser(file), withSecrets)
  const { restored, kept, left } = secrets
  const count = Object.values(end.rows).reduce((sum, count) => sum + count, 0)
  const lines = [
    `Restored ${count} rows of ${Object.keys(end.rows).length} tables.`,
    ...(restored.length === 0 ? [] : [`Restored as well: ${restored.join(', ')}.`]),
    ...(kept.length === 0 ? [] : [`Not restored, since ${env.DATA_DIR} has its own: ${kept.join(', ')}.`]),
    ...(left.length === 0 ? [] : [`Not restored, since --with-secrets was not given: ${left.join(', ')}.`]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return true
})
