import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { addressKeys, blocksOf, type CountedNetwork, networksOf, requestOrigin } from '../http/addresses'
import { TooManyAttempts } from '../http/api-error'
import type { Database, Queryable } from '../db/open'
import { address_counts } from '../db/schema/sessions'
import type { Env } from '../env'
import { LARGEST, type Rate, scaled } from './attempts'
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
 * Limits that all networks share over all processes. An act is counted as it is done: a request that is refused, repeated or
 * leads to nothing takes nothing. No network gets more than is left for the others, so that networks that take all they get
 * leave something to one more, and each gets one in any case: a flood shuts a door for its own networks alone. Together they
 * get `most` and one for each further network; where there is an `inAll`, no more than that.
 */
const SHARED = {
  /**
   * Guests that are stored: some 100 MB a day. Of one block those of an office, a school or a mobile operator, who come to
   * keep something for the first time. Somebody with a /32 of IPv6 has 65,536 networks to make one more each. A shut door loses
   * nothing here, since the browser keeps what it made.
   */
  'new-guest': [
    { most: 20_000, within: HOUR, ofBlock: 300, inAll: 40_000 },
    { most: 100_000, within: DAY, ofBlock: 1_000, inAll: 200_000 },
  ],
  /** Accounts that are made, each also a mail. */
  registration: [{ most: 3_000, within: HOUR }],
  /** Links that go out to accounts; beyond that they wait. */
  'verify-email': [{ most: 3_000, within: HOUR }],
  'reset-password': [{ most: 3_000, within: HOUR }],
  /** Messages that are kept, each also a mail to support. Guests cost nothing to make, and take nothing from users. */
  'guest-feedback': [{ most: 1_000, within: DAY }],
  'user-feedback': [{ most: 1_000, within: DAY }],
  /** Calls of the price provider that strangers can cause. */
  'asked-price': [{ most: 250, within: HOUR }],
  'asked-history': [{ most: 600, within: HOUR }],
} as const satisfies Readonly<Record<string, readonly SharedRate[]>>

/**
 * @property ofBlock the most of one /24 of IPv4 or one /64; wider networks of IPv6 have a multiple
 * @property inAll the most of all networks, their one in any case included
 */
type SharedRate = Rate & { readonly ofBlock?: number; readonly inAll?: number }
export type SharedKind = keyof typeof SHARED

/** A limit of some network, or what all networks share, as it is counted from `now` on. */
export interface Limit {
  readonly key: string
  readonly most: number
  /** Milliseconds. */
  readonly endsAt: number
  /**
   * The limit of which it may have what is left, and `times` in any case. Itself: it is what all share, and `times` is the most of
   * all. Absent: it stands alone.
   */
  readonly share?: { readonly of: string; readonly times: number }
}

/** Name of everybody together among the networks. */
const EVERYBODY = 'everybody'

/** The key under which a kind of request is counted for a network in periods of so many milliseconds. */
const countKey = (kind: string, network: string, within: number): string => `${kind} ${within} ${hashOfSecret(network)}`

/** Limits of one network for a kind of request. */
const limitsOfNetwork = (
  env: Pick<Env, 'RATE_LIMIT_FACTOR'>,
  kind: string,
  { network, times }: CountedNetwork,
  rates: readonly Rate[],
  now: number,
): Limit[] =>
  rates.map(({ most, within }) => ({
    key: countKey(kind, network, within),
    most: scaled(most * times, env),
    endsAt: now + within,
  }))

/** Limits of some networks for a kind of which all networks share so much. */
export const sharedLimits = (
  env: Pick<Env, 'RATE_LIMIT_FACTOR'>,
  kind: SharedKind,
  networks: readonly CountedNetwork[],
  now: number,
): Limit[] =>
  SHARED[kind].flatMap(({ most, within, ofBlock = LARGEST, inAll = LARGEST }: SharedRate) => {
    const of = countKey(kind, EVERYBODY, within)
    const endsAt = now + within
    return [
      { key: of, most: scaled(most, env), endsAt, share: { of, times: scaled(inAll, env) } },
      ...networks.map(({ network, times }) => ({
        key: countKey(kind, network, within),
        most: scaled(ofBlock * times, env),
        endsAt,
        share: { of, times },
      })),
    ]
  })

/** The counter of what all networks have taken together, for each period: for metrics. */
export const sharedCounters = (env: Pick<Env, 'RATE_LIMIT_FACTOR'>, kind: SharedKind) =>
  SHARED[kind].map(({ most, within }) => ({ key: countKey(kind, EVERYBODY, within), most: scaled(most, env), within }))

/**
 * Counts what is made for the request that is being handled, in the transaction that makes it.
 * @throws TooManyAttempts
 */
export async function countShared(tx: Queryable, kind: SharedKind, now: number): Promise<void> {
  const origin = requestOrigin()
  if (origin === null) return
  const env = { RATE_LIMIT_FACTOR: origin.limitFactor }
  await countInEach(tx, sharedLimits(env, kind, blocksOf(origin.address), now), now)
}

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
  const own = networksOf(ip).flatMap((network) => limitsOfNetwork(env, kind, network, BY_ADDRESS[kind], now))
  const shared =
    kind === 'asked-price' || kind === 'asked-history' ? sharedLimits(env, kind, blocksOf(addressKeys(ip)), now) : []
  await countInEach(db, [...own, ...shared], now)
}

/**
 * Counts one more in all of some limits or, once one of them is reached, in none. One statement, so that no number of
 * requests at once passes a limit; its rows are locked in the order of their keys, so that two requests never wait for each
 * other.
 * @throws TooManyAttempts
 */
export async function countInEach(db: Queryable, limits: readonly Limit[], now: number): Promise<void> {
  const asked = sql.join(
    limits.map(
      ({ key, most, endsAt, share }) =>
        sql`(${key}::text, ${most}::int, ${endsAt}::bigint, ${share?.of ?? null}::text, ${share?.times ?? null}::int)`,
    ),
    sql`, `,
  )
  // A period that ends later than a new one would was begun while the clock was wrong.
  const running = sql`c.ends_at > ${now}::bigint AND c.ends_at <= excluded.ends_at`
  // Nulls, where nothing is shared, count for nothing.
  const mostOf = (left: SQL) =>
    sql`CASE WHEN asked.key = asked.shared THEN asked.times ELSE LEAST(asked.most, GREATEST(asked.times, ${left})) END`
  const { rows } = await db.execute<{ ends_at: string }>(sql`
    WITH asked (key, most, ends_at, shared, times) AS (VALUES ${asked}),
    there AS (
      SELECT c.* FROM ${address_counts} c JOIN asked USING (key)
      WHERE c.ends_at > ${now}::bigint AND c.ends_at <= asked.ends_at
    ),
    reached AS (
      SELECT there.ends_at FROM there JOIN asked USING (key)
      LEFT JOIN asked whole ON whole.key = asked.shared LEFT JOIN there taken ON taken.key = asked.shared
      WHERE there.count >= ${mostOf(sql`whole.most - COALESCE(taken.count, 0)`)}
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
    SELECT counted.ends_at FROM counted JOIN asked USING (key)
    LEFT JOIN asked whole ON whole.key = asked.shared LEFT JOIN counted taken ON taken.key = asked.shared
    WHERE counted.count > ${mostOf(sql`whole.most - taken.count + 1`)}`)
  if (rows.length === 0) return
  const endsAt = Math.max(...rows.map((row) => Number(row.ends_at)))
  throw new TooManyAttempts(Math.max(1, Math.ceil((endsAt - now) / 1000)))
}

/** Takes back what was counted for something that was not done. One row after the other: two that do so never wait for each other. */
export async function uncountInEach(db: Queryable, limits: readonly Limit[]): Promise<void> {
  for (const { key } of limits) {
    await db
      .update(address_counts)
      .set({ count: sql`${address_counts.count} - 1` })
      .where(and(eq(address_counts.key, key), gt(address_counts.count, 0)))
  }
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
