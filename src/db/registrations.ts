import { UNVERIFIED_DAYS } from '../domain/account'
import { DAY } from '../domain/granularity'
import { type LocalDatabase, readMeta, writeMeta } from './database'
import type { MetaRows } from './rows'
import { writeTransaction } from './write-transaction'

type Registrations = MetaRows['registrations']

/** Secrets that the server takes with one link. */
const MAX_SECRETS = 10
/** Milliseconds after which the server removes an unverified account. */
const LIFETIME = UNVERIFIED_DAYS * DAY

/** Keeps the secret of the answer to a registration until the address is verified. */
export const keepRegistration = (db: LocalDatabase, email: string, secret: string, now: number): Promise<void> =>
  change(db, (known) => ({ ...living(known, now), [email.toLowerCase()]: { secret, at: now } }))

/** The secrets of this browser's registrations, the latest first. */
export async function registrationSecrets(db: LocalDatabase, now: number): Promise<readonly string[]> {
  const known = Object.values(living((await readMeta(db, 'registrations')) ?? {}, now))
  return known
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_SECRETS)
    .map(({ secret }) => secret)
}

/** Forgets the secret of an address that has been verified. */
export const forgetRegistration = (db: LocalDatabase, email: string): Promise<void> =>
  change(db, (known) =>
    Object.fromEntries(Object.entries(known).filter(([address]) => address !== email.toLowerCase())),
  )

/** Forgets the secrets of accounts that the server has removed by now. */
export const forgetOldRegistrations = (db: LocalDatabase, now: number): Promise<void> =>
  change(db, (known) => living(known, now))

/** A time further ahead than the lifetime was noted while the clock was wrong. */
const living = (known: Registrations, now: number): Registrations =>
  Object.fromEntries(Object.entries(known).filter(([, { at }]) => Math.abs(now - at) < LIFETIME))

async function change(db: LocalDatabase, next: (known: Registrations) => Registrations): Promise<void> {
  await writeTransaction(db, [db.meta], async () => {
    const known = (await readMeta(db, 'registrations')) ?? {}
    const changed = next(known)
    if (JSON.stringify(changed) === JSON.stringify(known)) return
    if (Object.keys(changed).length === 0) await db.meta.delete('registrations')
    else await writeMeta(db, 'registrations', changed)
  })
}
