import { and, desc, eq, inArray } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { DEVICE_TOKEN_HEADER, REFRESH_ATTEMPT_HEADER, REGISTRATION_SECRET_HEADER } from '../../../src/contract/session'
import type { Queryable } from '../../db/open'
import { known_devices } from '../../db/schema/sessions'
import { normalEmailOf, users } from '../../db/schema/users'
import { MAX_OF_ONE_OWNER } from '../kept-for'
import { hashOfSecret, newSecret } from '../secrets'

/** Facts that a request tells about the browser that sends it. */
export interface Visit {
  /** Such as "Chrome on Android"; null: unknown. */
  readonly deviceLabel: string | null
  /** The token that this server gave the browser at an earlier login; null: it has none. */
  readonly deviceToken: string | null
  /** Name of its attempt to refresh; at a sign-in, whether it will name them. Null: a client of an earlier version. */
  readonly attempt: string | null
  /** The answer to a registration in this browser; null: none of the account that signs in. */
  readonly registrationSecret: string | null
}

/** 256 bits, see `newSecret`. */
const SECRET = /^[\w-]{43}$/
const secretOf = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && SECRET.test(value) ? value : null

export function visitOf({ headers }: Pick<FastifyRequest, 'headers'>): Visit {
  const attempt = z.uuid().safeParse(headers[REFRESH_ATTEMPT_HEADER])
  return {
    deviceLabel: deviceLabel(headers['user-agent']),
    deviceToken: secretOf(headers[DEVICE_TOKEN_HEADER]),
    attempt: attempt.success ? attempt.data : null,
    registrationSecret: secretOf(headers[REGISTRATION_SECRET_HEADER]),
  }
}

/*
 * Order decides: Edge, Opera and Samsung's browser name Chrome as well, Chrome names Safari, and Android names Linux. On
 * iPhone and iPad every browser is Safari underneath, and says by a token of its own who it is.
 */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstOf = (names: typeof BROWSERS, text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null

/**
 * A browser's name for people, from its User-Agent header: "Chrome on Android", "Firefox on Windows". Versions are left
 * out, so that an update does not look like another device. Null where the header tells neither browser nor system.
 */
export function deviceLabel(userAgent: string | undefined): string | null {
  // As long as any browser's, many times over.
  const text = (userAgent ?? '').slice(0, 512)
  const [browser, system] = [firstOf(BROWSERS, text), firstOf(SYSTEMS, text)]
  if (browser === null) return system === null ? null : `A browser on ${system}`
  return system === null ? browser : `${browser} on ${system}`
}

/** A browser that has just signed in. */
export interface RememberedDevice {
  readonly id: string
  /** The browser keeps this token from now on; null: the browser has one already. */
  readonly token: string | null
  /** True: nobody has signed in to this account from it before, or it was forgotten. */
  readonly isNew: boolean
}

/**
 * The id of a device of an account; null: the account does not know it.
 * @param account its id, or its address as `normalEmail` writes it
 * @param token null: the browser has none
 */
export async function findKnownDevice(
  db: Queryable,
  account: { readonly id: string } | { readonly email: string },
  token: string | null,
): Promise<string | null> {
  if (token === null) return null
  const isOfAccount = 'id' in account ? eq(users.id, account.id) : eq(normalEmailOf(users.email), account.email)
  const [row] = await db
    .select({ id: known_devices.id })
    .from(known_devices)
    .innerJoin(users, eq(users.id, known_devices.user_id))
    .where(and(eq(known_devices.token_hash, hashOfSecret(token)), isOfAccount))
  return row?.id ?? null
}

/**
 * Makes a browser known to an account. A browser has one token, whichever accounts use it. Part of a transaction that
 * holds the user's row.
 * @param presented the token that the browser sent; null: it has none
 */
export async function rememberDevice(
  tx: Queryable,
  user_id: string,
  presented: string | null,
  now: number,
): Promise<RememberedDevice> {
  const at = new Date(now)
  const token = presented ?? newSecret()
  const mine = and(eq(known_devices.user_id, user_id), eq(known_devices.token_hash, hashOfSecret(token)))
  const [known] = await tx.update(known_devices).set({ seen_at: at }).where(mine).returning({ id: known_devices.id })
  if (known !== undefined) return { id: known.id, token: null, isNew: false }
  const old = tx
    .select({ id: known_devices.id })
    .from(known_devices)
    .where(eq(known_devices.user_id, user_id))
    .orderBy(desc(known_devices.seen_at))
    .offset(MAX_OF_ONE_OWNER.knownDevices - 1)
  await tx.delete(known_devices).where(inArray(known_devices.id, old))
  const [made] = await tx
    .insert(known_devices)
    .values({ user_id, token_hash: hashOfSecret(token), created_at: at, seen_at: at })
    .returning({ id: known_devices.id })
  if (made === undefined) throw new Error('The device was not inserted')
  return { id: made.id, token: presented === null ? token : null, isNew: true }
}
