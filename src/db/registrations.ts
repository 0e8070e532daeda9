import { UNVERIFIED_DAYS } from '../domain/account'
import { type LocalDatabase, readMeta, writeMeta } from './database'
import type { MetaRows } from './rows'
import { writeTransaction } from './write-transaction'

type Registrations = MetaRows['registrations']

/** Secrets that the server takes with one link. */
const MAX_SECRETS = 10
/** Keeps the secret of the answer to a registration until the address is verified. */
export const keepRegistration = (db: LocalDatabase, email: string, secret: string, now: number): Promise<void> =>
  change(db, (known) => ({ ...known, [email.toLowerCase()]: { secret, at: now } }))

/** The secrets of this browser's registrations, the latest first. */
export async function registrationSecrets(db: LocalDatabase): Promise<readonly string[]> {
  return Object.values((await readMeta(db, 'registrations')) ?? {})
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_SECRETS)
    .map(({ secret }) => secret)
}

/** The secret of this browser's registration of an address. */
export const registrationSecret = async (db: LocalDatabase, email: string): Promise<string | undefined> =>
  (await readMeta(db, 'registrations'))?.[email.toLowerCase()]?.secret

/** Forgets the secret of an address that has been verified. */
export const forgetRegistration = (db: LocalDatabase, email: string): Promise<void> =>
  change(db, (known) =>
    Object.fromEntries(Object.entries(known).filter(([address]) => address !== email.toLowerCase())),
  )

/**
 * Forgets the secrets of accounts that the server has removed by now. Called once a day: the calls are counted, since a
 * device's clock may be set meanwhile.
 */
export const forgetOldRegistrations = (db: LocalDatabase): Promise<void> =>
  change(db, (known) =>
    Object.fromEntries(
      Object.entries(known)
        .filter(([, { looks = 0 }]) => looks < UNVERIFIED_DAYS)
        .map(([address, one]) => [address, { ...one, looks: (one.looks ?? 0) + 1 }]),
    ),
  )

async function change(db: LocalDatabase, next: (known: Registrations) => Registrations): Promise<void> {
  await writeTransaction(db, [db.meta], async () => {
    const known = (await readMeta(db, 'registrations')) ?? {}
    const changed = next(known)
    if (JSON.stringify(changed) === JSON.stringify(known)) return
    if (Object.keys(changed).length === 0) await db.meta.delete('registrations')
    else await writeMeta(db, 'registrations', changed)
  })
}
