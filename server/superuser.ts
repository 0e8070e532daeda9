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
  type SuperuserAction,
} from './services/admin/superusers'
import { messageOf } from '../src/domain/error-message'

/* The program for whoever may start the server: it appoints and dismisses superusers, and removes lost passkeys. */

const REMOVE_PASSKEYS = 'remove-passkeys'
const ACTIONS = [...SUPERUSER_ACTIONS, REMOVE_PASSKEYS] as const
type Action = (typeof ACTIONS)[number]

const USAGE = `Usage: npm run superuser -- ${ACTIONS.join('|')} <email>`

function wishOf(args: readonly string[]): { readonly action: Action; readonly email: string } {
  const [given, email, ...rest] = args
  const action = ACTIONS.find((one) => one === given)
  if (action === undefined || email === undefined || rest.length > 0) throw new Error(USAGE)
  return { action, email }
}

function words(outcome: SuperuserChange, action: SuperuserAction, email: string): string {
  const being = action === 'appoint' ? 'a superuser' : 'no superuser'
  switch (outcome) {
    case 'done':
      return `${email} is ${being} from now on.`
    case 'so-already':
      return `${email} is ${being} already.`
    case 'no-account':
      return `There is no account of ${email}.`
    case 'unverified':
      return `The address ${email} has not been verified: its owner has to open the link in the mail first.`
    case 'configured':
      return `${email} stands in ADMIN_EMAILS, which would appoint it again: take it out there first.`
  }
}

function removalWords(removal: Removal, email: string): string {
  switch (removal) {
    case 'done':
      return `All passkeys and recovery codes of ${email} are removed. A mail tells the owner.`
    case 'so-already':
      return `${email} has no passkey.`
    case 'no-account':
      return `There is no account of ${email}.`
  }
}

async function run(args: readonly string[]): Promise<boolean> {
  const { action, email } = wishOf(args)
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
      process.stdout.write(`${removalWords(removal, email)}\n`)
      return removal !== 'no-account'
    }
    const outcome = await changeSuperuser(database, env, action, email, Date.now())
    process.stdout.write(`${words(outcome, action, email)}\n`)
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
