import { FolderInUseError } from '../db/folder-lock'
import { openDatabase } from '../db/open'
import { placeOf } from '../db/place'
import { loadEnv } from '../env'
import { keepPrivate } from '../private-files'
import { filesBeside } from '../program-files'
import { runSuperuserCommand, superuserCommand } from '../services/admin/superuser-command'
import { runCommandLine } from './command-line'

/* The program of an operator: it appoints and dismisses superusers, and removes lost passkeys. */

await runCommandLine(async (args) => {
  const command = superuserCommand(args)
  const env = loadEnv()
  process.stdout.write(`${placeOf(env)}\n`)
  keepPrivate(env.DATA_DIR)
  const database = await openDatabase(env, filesBeside(import.meta.url), { existing: true }).catch((error: unknown) => {
    if (!(error instanceof FolderInUseError)) throw error
    throw new Error(
      `The embedded database in ${env.DATA_DIR} is in use by a running server. Stop the server first. (With DATABASE_URL, it may go on running.)`,
      { cause: error },
    )
  })
  try {
    const { sentence, done } = await runSuperuserCommand(database, env, command, Date.now())
    process.stdout.write(`${sentence}\n`)
    return done
  } finally {
    await database.close()
  }
})
