import { and, eq, exists, gt, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { TRIAL_DAYS } from '../../../src/domain/account'
import { DAY } from '../../../src/domain/granularity'
import { push_subscriptions } from '../../db/schema/alerts'
import { mail_tokens } from '../../db/schema/mail'
import { known_devices, passkey_challenges, passkeys, recovery_codes, sessions } from '../../db/schema/sessions'
import { users } from '../../db/schema/users'
import type { ChangeTx } from '../revisions'
import type { UserAccount } from './account'

/*
 * All that belongs to an account and lets somebody in, or on the way in: the rows of the tables below, and columns of its
 * own row. Each occasion says of each way which rows go, and the compiler asks for the answer. If the account itself
 * goes, its rows follow by their foreign keys.
 */

/** Occasions on which ways into an account are closed. */
type Occasion =
  /** The reader of the mailbox sets a password by the link of a mail. */
  | { readonly kind: 'reset'; readonly account: UserAccount }
  /** Google hands the account of an address whose owner was never proven to who has the mailbox. */
  | { readonly kind: 'takeover' }
  /** The reader of the mailbox says by the link of a mail that a passkey is not theirs; null: it is gone already. */
  | { readonly kind: 'disowned-passkey'; readonly passkey: string | null }
  /** An operator helps an owner who has lost all passkeys. */
  | { readonly kind: 'lost-passkeys' }
  /** An operator logs an account out everywhere, which may be robbed just now. */
  | { readonly kind: 'operator' }
  /** The deletion of the account has been asked for. */
  | { readonly kind: 'deletion' }
  /** A user logs out everywhere but in the session that asks. */
  | { readonly kind: 'elsewhere'; readonly session: string }
  /** The same, with a new password. */
  | { readonly kind: 'new-password'; readonly session: string }

type Kind = Occasion['kind']
type Rule<K extends Kind> = 'all' | 'none' | ((by: Extract<Occasion, { kind: K }>, now: number) => SQL | undefined)

interface WayIn {
  readonly table: PgTable
  /** The column that names the account. */
  readonly account: PgColumn
  /** The rows that go. */
  readonly closes: { readonly [K in Kind]: Rule<K> }
}

/** A thief who added something longer ago was told of by mail for so long. */
const trialBegan = (now: number): Date => new Date(now - TRIAL_DAYS * DAY)

/**
 * The reader of the mailbox chose what opens the account. A password that was entered beside the mail's link may be a
 * stranger's; so may that of a row of an earlier version. All that such an account holds goes when its owner is first proven.
 */
export const isProven = ({ email_verified_at, owner_proven }: UserAccount): boolean =>
  email_verified_at !== null && owner_proven

type Kept = { readonly session: string }
const otherSessions = ({ session }: Kept) => ne(sessions.id, session)
/** Subscriptions of earlier versions belong to no session; the kept session's browser subscribes anew. */
const ofOtherSessions = (column: PgColumn) => (kept: Kept) => or(isNull(column), ne(column, kept.session))
const otherDevices = ({ session }: Kept) =>
  sql`NOT ${exists(sql`(SELECT 1 FROM ${sessions} WHERE ${and(eq(sessions.id, session), eq(sessions.device_id, known_devices.id))})`)}`
const resetLinks = () => eq(mail_tokens.purpose, 'reset-password')

/** A thief may be in now. */
const ALARM = { reset: 'all', takeover: 'all', 'disowned-passkey': 'all', operator: 'all' } as const
/** The user who asks stays in, and nobody else. */
const exceptFor = (others: (kept: Kept) => SQL | undefined) => ({ elsewhere: others, 'new-password': others })
/** The account's owner is the one who acts, or gets what is asked for another way. */
const NOTHING = { operator: 'none', deletion: 'none', elsewhere: 'none' } as const

export const WAYS_IN = {
  /** With their refresh tokens, and what they had confirmed. */
  sessions: {
    table: sessions,
    account: sessions.user_id,
    closes: { ...ALARM, 'lost-passkeys': 'none', deletion: 'all', ...exceptFor(otherSessions) },
  },
  /** A browser that gets the alerts. */
  pushSubscriptions: {
    table: push_subscriptions,
    account: push_subscriptions.owner_id,
    closes: {
      ...ALARM,
      'lost-passkeys': 'none',
      deletion: 'all',
      ...exceptFor(ofOtherSessions(push_subscriptions.session_id)),
    },
  },
  /** More passwords may be tried from such a browser. A user who comes back before the deletion is no stranger. */
  knownDevices: {
    table: known_devices,
    account: known_devices.user_id,
    closes: { ...ALARM, 'lost-passkeys': 'none', deletion: 'none', ...exceptFor(otherDevices) },
  },
  passkeys: {
    table: passkeys,
    account: passkeys.user_id,
    closes: {
      ...NOTHING,
      takeover: 'all',
      'lost-passkeys': 'all',
      'new-password': 'none',
      // One that opens the account alone is in the place of a password, which goes as well.
      reset: ({ account }, now) =>
        isProven(account) ? or(passkeys.opens_alone, gt(passkeys.created_at, trialBegan(now))) : undefined,
      'disowned-passkey': ({ passkey }) => (passkey === null ? sql`false` : eq(passkeys.id, passkey)),
    },
  },
  /** A thief may have read them. The owner makes new ones with a passkey; a mail must not hold any. */
  recoveryCodes: {
    table: recovery_codes,
    account: recovery_codes.user_id,
    closes: { ...ALARM, ...NOTHING, 'lost-passkeys': 'all', 'new-password': 'none' },
  },
  /** Half a sign-in, half a confirmation, half a new passkey. */
  challenges: {
    table: passkey_challenges,
    account: passkey_challenges.user_id,
    closes: {
      ...ALARM,
      'lost-passkeys': 'all',
      deletion: 'all',
      ...exceptFor(ofOtherSessions(passkey_challenges.session_id)),
    },
  },
  /**
   * Links that set a password. Those that verify end where the address is verified, those that remove a passkey open nothing.
   * A new password leaves them: a thief who knows the old one could else end each link that the owner asks for.
   */
  mailTokens: {
    table: mail_tokens,
    account: mail_tokens.user_id,
    closes: {
      ...NOTHING,
      'disowned-passkey': 'none',
      'lost-passkeys': 'none',
      reset: resetLinks,
      takeover: resetLinks,
      'new-password': 'none',
    },
  },
} as const satisfies Readonly<Record<string, WayIn>>

/** Columns of the account's own row that let somebody in. */
type Credentials = Pick<
  typeof users.$inferInsert,
  'password_hash' | 'registration_hash' | 'google_subject' | 'google_added_at'
>

/** Those that an occasion empties; the caller writes what takes their place. */
function emptied(by: Occasion, now: number): Credentials {
  switch (by.kind) {
    case 'reset':
      return { password_hash: null, registration_hash: null, ...(isDoubtful(by.account, now) && WITHOUT_GOOGLE) }
    case 'takeover':
      return { password_hash: null, registration_hash: null, ...WITHOUT_GOOGLE }
    case 'disowned-passkey':
    case 'lost-passkeys':
    case 'operator':
    case 'deletion':
    case 'elsewhere':
    case 'new-password':
      return {}
  }
}

const WITHOUT_GOOGLE = { google_subject: null, google_added_at: null } as const

/** A Google account that perhaps never had the mailbox would open what is from now on the mailbox's reader's. */
const isDoubtful = ({ owner_proven, google_added_at }: UserAccount, now: number): boolean =>
  !owner_proven || (google_added_at !== null && google_added_at > trialBegan(now))

/**
 * Closes ways into an account. Part of a transaction that holds the user's row.
 * @returns names of the passkeys that are gone
 */
export async function closeWaysIn(tx: ChangeTx, userId: string, by: Occasion, now: number): Promise<string[]> {
  const gone: string[] = []
  tx.raise(userId, 'account')
  const credentials = emptied(by, now)
  if (Object.keys(credentials).length > 0) await tx.update(users).set(credentials).where(eq(users.id, userId))
  for (const { table, account, closes } of Object.values<WayIn>(WAYS_IN)) {
    const rule = closes[by.kind] as Rule<Kind>
    if (rule === 'none') continue
    const which = rule === 'all' ? undefined : rule(by, now)
    const closing = tx.delete(table).where(and(eq(account, userId), which))
    if (table !== passkeys) await closing
    else for (const { name } of await closing.returning({ name: passkeys.name })) gone.push(name)
  }
  return gone
}
