import { sql } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { networksOf } from '../http/addresses'
import { TooManyAttempts } from '../http/api-error'
import type { Database, Queryable } from '../db/open'
import { address_counts } from '../db/schema/sessions'
import type { Env } from '../env'
import { type Rate, scaled } from './attempts'
import { hashOfSecret } from './secrets'

/** A request that has the price provider asked: for a coin that some widget has, or for one merely asked for. */
type MarketKind = 'asked-price' | 'held-price' | 'asked-history' | 'held-history'

/** A request that is costly wherever it is served: it hashes a password, sends a mail, or takes from the month's calls. */
export type CostlyKind = 'password' | 'mail' | MarketKind

/** Limits of one IPv4 address or one /64 over all processes together; wider networks of IPv6 have a multiple. */
const BY_ADDRESS: Readonly<Record<CostlyKind, readonly Rate[]>> = {
  password: [
    { most: 60, within: MINUTE },
    { most: 600, within: HOUR },
  ],
  mail: [
    { most: 20, within: MINUTE },
    { most: 60, within: HOUR },
  ],
  'asked-price': [{ most: 60, within: DAY }],
  'held-price': [{ most: 120, within: DAY }],
  'asked-history': [{ most: 60, within: DAY }],
  'held-history': [{ most: 400, within: DAY }],
}

/**
 * Limits of all addresses together: a ceiling on the provider calls that strangers can cause, each counted as it is made.
 * Mails have theirs where they are sent (attempts.ts).
 */
const BY_ALL: Readonly<Partial<Record<CostlyKind, readonly Rate[]>>> = {
  'asked-price': [{ most: 250, within: HOUR }],
  'asked-history': [{ most: 600, within: HOUR }],
}

/** A limit of some network, or of everybody, as it is counted from `now` on. */
interface Limit {
  readonly key: string
  readonly most: number
  /** Milliseconds. */
  readonly endsAt: number
}

/** Name of everybody together among the networks. */
export const EVERYBODY = 'everybody'

/** The key under which a kind of request is counted for a network in periods of so many milliseconds. */
export const countKey = (kind: string, network: string, within: number): string =>
  `${kind} ${within} ${hashOfSecret(network)}`

/** Limits of one network for a kind of request. */
export const limitsOfNetwork = (
  env: Pick<Env, 'RATE_LIMIT_FACTOR'>,
  kind: string,
  { network, times }: { readonly network: string; readonly times: number },
  rates: readonly Rate[],
  now: number,
): Limit[] =>
  rates.map(({ most, within }) => ({
    key: countKey(kind, network, within),
    most: scaled(most * times, env),
    endsAt: now + within,
  }))

/**
 * Counts a costly request for every network that the address belongs to, on all processes together.
 * @throws TooManyAttempts
 */
export async function countForAddress(
  db: Queryable,
  env: Pick<Env, 'RATE_LIMIT_FACTOR'>,
  kind: CostlyKind,
  ip: string,
  now: number,
): Promise<void> {
  await countInEach(
    db,
    [
      ...networksOf(ip).flatMap((network) => limitsOfNetwork(env, kind, network, BY_ADDRESS[kind], now)),
      ...limitsOfNetwork(env, kind, { network: EVERYBODY, times: 1 }, BY_ALL[kind] ?? [], now),
    ],
    now,
  )
}

/**
 * Counts one more in all of some limits or, once one of them is reached, in none. One statement, so that no number of
 * requests at once passes a limit; its rows are locked in the order of their keys, so that two requests never wait for each
 * other.
 * @throws TooManyAttempts
 */
export async function countInEach(db: Queryable, limits: readonly Limit[], now: number): Promise<void> {
  const asked = sql.join(
    limits.map(({ key, most, endsAt }) => sql`(${key}::text, ${most}::int, ${endsAt}::bigint)`),
    sql`, `,
  )
  // A period that ends later than a new one would was begun while the clock was wrong.
  const running = sql`c.ends_at > ${now}::bigint AND c.ends_at <= excluded.ends_at`
  const { rows } = await db.execute<{ ends_at: string }>(sql`
    WITH asked (key, most, ends_at) AS (VALUES ${asked}),
    reached AS (
      SELECT c.ends_at FROM ${address_counts} c JOIN asked USING (key)
      WHERE c.count >= asked.most AND c.ends_at > ${now}::bigint AND c.ends_at <= asked.ends_at
    ),
    counted AS (
      INSERT INTO ${address_counts} AS c (key, count, ends_at)
      SELECT key, 1, ends_at FROM asked WHERE NOT EXISTS (SELECT FROM reached) ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN ${running} THEN c.count + 1 ELSE 1 END,
        ends_at = CASE WHEN ${running} THEN c.ends_at ELSE excluded.ends_at END
      RETURNING key, count, ends_at
    )
    SELECT ends_at FROM reached
    UNION ALL
    SELECT counted.ends_at FROM counted JOIN asked USING (key) WHERE counted.count > asked.most`)
  if (rows.length === 0) return
  const endsAt = Math.max(...rows.map((row) => Number(row.ends_at)))
  throw new TooManyAttempts(Math.max(1, Math.ceil((endsAt - now) / 1000)))
}

/** Counts what an address has the provider asked for. @returns false where that is too much: it must not be asked */
export type Charge = (kind: MarketKind, ip: string | undefined) => Promise<boolean>

/** For a provider whose calls cost nothing: counts nothing. Calls that no address asks for are never counted either. */
export const chargeNobody: Charge = async () => true

export function chargeAddresses({ orm }: Database, env: Env, clock: () => number): Charge {
  return async (kind, ip) => {
    if (ip === undefined) return true
    try {
      await countForAddress(orm, env, kind, ip, clock())
      return true
    } catch (error) {
      if (error instanceof TooManyAttempts) return false
      throw error
    }
  }
}
