import { messageOf } from '../src/domain/error-message'
import { FolderInUseError } from './db/folder-lock'
import { openDatabase } from './db/open'
import { loadEnv } from './env'
import { keepPrivate } from './private-files'
import { filesBeside } from './program-files'
import {
  changeSuperuser,
  type SuperuserChange,
  type Removal,
  removePasskeys,
  SUPERUSER_ACTIONS,
} from './services/admin/superusers'

/* The program of an operator: it appoints and dismisses superusers, and removes lost passkeys. */

const REMOVE_PASSKEYS = 'remove-passkeys'
const ACTIONS = [...SUPERUSER_ACTIONS, REMOVE_PASSKEYS] as const
type Action = (typeof ACTIONS)[number]

const USAGE = `Usage: npm run superuser -- ${ACTIONS.join('|')} <email>`

function parseArgs([given, email, ...rest]: readonly string[]): { readonly action: Action; readonly email: string } {
  const action = ACTIONS.find((one) => one === given)
  if (action === undefined || email === undefined || rest.length > 0) throw new Error(USAGE)
  return { action, email }
}

const sentences = (being: string, email: string): Readonly<Record<SuperuserChange, string>> => ({
  done: `${email} is ${being} from now on.`,
  'so-already': `${email} is ${being} already.`,
  'no-account': `There is no account of ${email}.`,
  unverified: `The address ${email} has not been verified: its owner has to open the link in the mail first.`,
  configured: `${email} stands in ADMIN_EMAILS, which would appoint it again: take it out there first.`,
})

const removalSentences = (email: string): Readonly<Record<Removal, string>> => ({
  done: `All passkeys and recovery codes of ${email} are removed. A mail tells the owner.`,
  'so-already': `${email} has no passkey.`,
  'no-account': `There is no account of ${email}.`,
})

async function run(args: readonly string[]): Promise<boolean> {
  const { action, email } = parseArgs(args)
  const env = loadEnv()
  keepPrivate(env.DATA_DIR)
  const database = await openDatabase(env, filesBeside(import.meta.url)).catch((error: unknown) => {
    if (!(error instanceof FolderInUseError)) throw error
    throw new Error(
      `The embedded database in ${env.DATA_DIR} is in use by a running server. Stop the server first. (With DATABASE_URL, it may go on running.)`,
      { cause: error },
    )
  })
  try {
    if (action === REMOVE_PASSKEYS) {
      const removal = await removePasskeys(database, email, Date.now())
      process.stdout.write(`${removalSentences(email)[removal]}\n`)
      return removal !== 'no-account'
    }
    const outcome = await changeSuperuser(database, env, action, email, Date.now())
    process.stdout.write(`${sentences(action === 'appoint' ? 'a superuser' : 'no superuser', email)[outcome]}\n`)
    return outcome === 'done' || outcome === 'so-already'
  } finally {
    await database.close()
  }
}

try {
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
