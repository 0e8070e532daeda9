import type { Database } from '../../db/open'
import type { Env } from '../../env'
import { changeSuperuser, type Removal, removePasskeys, SUPERUSER_ACTIONS, type SuperuserChange } from './superusers'

/* The command of an operator: it appoints and dismisses superusers, and removes lost passkeys. */

const REMOVE_PASSKEYS = 'remove-passkeys'
const ACTIONS = [...SUPERUSER_ACTIONS, REMOVE_PASSKEYS] as const

interface SuperuserCommand {
  readonly action: (typeof ACTIONS)[number]
  readonly email: string
}

/** @throws Error with the usage for any other arguments */
export function superuserCommand([given, email, ...rest]: readonly string[]): SuperuserCommand {
  const action = ACTIONS.find((one) => one === given)
  if (action === undefined || email === undefined || rest.length > 0) {
    throw new Error(`Usage: npm run superuser -- ${ACTIONS.join('|')} <email>`)
  }
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

/** @returns the sentence for the operator, and whether all is now as the command says */
export async function runSuperuserCommand(
  database: Database,
  env: Pick<Env, 'ADMIN_EMAILS'>,
  { action, email }: SuperuserCommand,
  now: number,
): Promise<{ readonly sentence: string; readonly done: boolean }> {
  if (action === REMOVE_PASSKEYS) {
    const removal = await removePasskeys(database, email, now)
    return { sentence: removalSentences(email)[removal], done: removal !== 'no-account' }
  }
  const outcome = await changeSuperuser(database, env, action, email, now)
  const sentence = sentences(action === 'appoint' ? 'a superuser' : 'no superuser', email)[outcome]
  return { sentence, done: outcome === 'done' || outcome === 'so-already' }
}
