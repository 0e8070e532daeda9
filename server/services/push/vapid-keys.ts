import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import type { Database } from '../../db/open'
import { vapid_keys } from '../../db/schema/alerts'
import type { Env } from '../../env'
import { isVapidPair, newVapidKeys, type Vapid, type VapidKeys } from '../../vapid'
import { keptFile } from '../../private-files'

export const VAPID_FILE = 'vapid-keys.json'
const pair = z.object({ publicKey: z.string(), privateKey: z.string() }).refine(isVapidPair)

/**
 * How the server introduces itself to push services: by the keys of VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or by a pair
 * that is made once and kept in DATA_DIR. Every subscription is bound to the public key it was made with.
 * @throws Error when the kept pair cannot be read or is none
 */
export function vapidOf(env: Env): Vapid {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env
  const keys =
    publicKey === undefined || privateKey === undefined ? readKeptKeys(env.DATA_DIR) : { publicKey, privateKey }
  return { ...keys, subject: subjectOf(env) }
}

/** Contact for push services. */
const subjectOf = ({ VAPID_SUBJECT, PUBLIC_URL, SUPPORT_EMAIL }: Env): string =>
  VAPID_SUBJECT ?? (PUBLIC_URL.startsWith('https:') ? PUBLIC_URL : `mailto:${SUPPORT_EMAIL}`)

/**
 * The pair in the folder's file, which is made where there is none.
 * @throws Error when it cannot be read or is none
 */
function readKeptKeys(folder: string): VapidKeys {
  const text = keptFile(folder, VAPID_FILE, () => JSON.stringify(newVapidKeys()))
  try {
    return pair.parse(JSON.parse(text))
  } catch {
    throw new Error(`${join(folder, VAPID_FILE)} does not hold a pair of keys. Remove it, and a new one is made.`)
  }
}

/**
 * The pair of keys that all processes of a database share: every subscription is bound to the public key it was made with, and
 * a push service refuses what another process signs. On a PostgreSQL server the first process to start decides: the pair of
 * its variables, else the one in its DATA_DIR, else a new one. The embedded database has one process, and its pair a file.
 * @throws Error when this process is configured with other keys than those before it
 */
export async function sharedVapid(
  env: Env,
  database: Pick<Database, 'orm' | 'engine'>,
  logger?: FastifyBaseLogger,
): Promise<Vapid> {
  if (database.engine === 'pglite') return vapidOf(env)
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env
  if (publicKey !== undefined && privateKey !== undefined) {
    const row = await firstRow(database, { public_key: publicKey, private_key: null })
    if (row.public_key !== publicKey) {
      throw new Error(
        'VAPID_PUBLIC_KEY: is not the key that the processes of this database started with, and every subscription is bound to that one. ' +
          'Set the former pair; or, to give up all subscriptions, remove the row of the table vapid_keys.',
      )
    }
    return vapidOf(env)
  }
  const file = join(env.DATA_DIR, VAPID_FILE)
  const own = existsSync(file) ? readKeptKeys(env.DATA_DIR) : null
  const made = own ?? newVapidKeys()
  const row = await firstRow(database, { public_key: made.publicKey, private_key: made.privateKey })
  if (row.private_key === null) {
    throw new Error(
      'VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: must be set to the pair that other processes of this database were given.',
    )
  }
  if (own !== null && own.publicKey !== row.public_key) {
    logger?.warn(
      { file },
      'this pair of VAPID keys is not used: another process of this database was first with its own',
    )
  }
  return { publicKey: row.public_key, privateKey: row.private_key, subject: subjectOf(env) }
}

/** The only row, which the first of all processes wrote; of several that start at once, one is the first. */
async function firstRow({ orm }: Pick<Database, 'orm'>, values: Omit<typeof vapid_keys.$inferInsert, 'id'>) {
  await orm
    .insert(vapid_keys)
    .values({ id: 1, ...values })
    .onConflictDoNothing()
  const [row] = await orm.select().from(vapid_keys).where(eq(vapid_keys.id, 1))
  if (row === undefined) throw new Error('The row of the table vapid_keys was removed meanwhile. Start again.')
  return row
}
