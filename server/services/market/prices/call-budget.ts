import type { Pool } from 'pg'
import { POLL_INTERVAL } from '../../../../src/domain/live-prices'
import { isDue } from '../../../../src/domain/waits'
import { LONGEST_PAUSE } from '../../../adapters/market-data/coingecko/coingecko'
import { type CallPurpose, type CallShare, ProviderError } from '../../../adapters/market-data/provider'
import type { Env } from '../../../env'
import { demandAllowed, pollPlan, type PollState, purposeAllowed } from './call-pace'
import { AHEAD } from './stored-prices'

/**
 * The calls that a month allows, counted in the database so that restarts and other processes count along. Polling and
 * what is fetched on demand have shares of their own: neither can use up, nor slow down, the other. Within them each purpose
 * has a budget of its own, so that answers that never end, or never please, cost that purpose alone.
 */

/** Monthly calls of a demo key; CoinGecko states no figure for calls without a key, so they are treated alike. */
const DEMO_CALLS = 10_000
/** The smallest of the paid plans. */
const PRO_CALLS = 500_000

export const monthlyCalls = (env: Pick<Env, 'COINGECKO_MONTHLY_CALLS' | 'COINGECKO_PRO_API_KEY'>): number =>
  env.COINGECKO_MONTHLY_CALLS ?? (env.COINGECKO_PRO_API_KEY === undefined ? DEMO_CALLS : PRO_CALLS)

/** Calls a minute that CoinGecko allows a demo key, and the smallest of the paid plans; without a key it states none. */
const DEMO_PACE = 30
const PRO_PACE = 500
/** Part of them for the past of coins that users have begun to watch; polls and charts have the rest. */
const OWN_PART = 2 / 3

/** Coins whose past may be asked for in a minute. */
export const ownCallsAMinute = ({ COINGECKO_PRO_API_KEY: pro }: Pick<Env, 'COINGECKO_PRO_API_KEY'>): number =>
  Math.floor((pro === undefined ? DEMO_PACE : PRO_PACE) * OWN_PART)

const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

/** Calls made in this month so far, by all processes; none where nothing counts them. */
export async function callsThisMonth(pool: Pool, now: number): Promise<number> {
  return (await look(pool, now)).calls
}

interface Month {
  readonly calls: number
  readonly polling_calls: number
  readonly asked_calls: number
  readonly turns: number
  readonly paused_until: number
  readonly polled_at: number
}

async function look(pool: Pool, now: number): Promise<Month> {
  const { rows } = await pool.query<Month>(
    `SELECT calls, polling_calls, asked_calls, turns, paused_until::float8, polled_at::float8 FROM market_calls WHERE month = $1`,
    [monthOf(now)],
  )
  return rows[0] ?? { calls: 0, polling_calls: 0, asked_calls: 0, turns: 0, paused_until: 0, polled_at: 0 }
}

/** Counts one call of this month. @throws ProviderError where it must not be made */
async function spendCall(
  pool: Pool,
  { total, now }: Omit<PollState, 'polled'>,
  purpose: CallPurpose,
  share: CallShare,
): Promise<void> {
  const polling = share === 'polling' ? 1 : 0
  const asked = share === 'asked' ? 1 : 0
  const { rowCount } = await pool.query(
    `INSERT INTO market_calls AS m (month, calls, polling_calls, asked_calls, purposes)
     SELECT $1, 1, $4, $5, jsonb_build_object($9::text, 1) WHERE $2::int >= 1
     ON CONFLICT (month) DO UPDATE SET calls = m.calls + 1, polling_calls = m.polling_calls + $4::int,
         asked_calls = m.asked_calls + $5::int,
         purposes = m.purposes || jsonb_build_object($9::text, coalesce((m.purposes ->> $9)::int, 0) + 1)
       WHERE m.calls < $2 AND ($4 = 1 OR m.calls - m.polling_calls < $6::int) AND ($5 = 0 OR m.asked_calls < $7::int)
         AND coalesce((m.purposes ->> $9)::int, 0) < $10::int
         AND (m.paused_until <= $3 OR m.paused_until > $8::bigint)`,
    [
      monthOf(now),
      total,
      now,
      polling,
      asked,
      demandAllowed({ total, now }, 'held'),
      demandAllowed({ total, now }, 'asked'),
      // A pause that ends later than any can was noted while the clock was wrong.
      now + LONGEST_PAUSE + AHEAD,
      purpose,
      purposeAllowed({ total, now }, purpose),
    ],
  )
  if (rowCount === 1) return
  const { paused_until } = await look(pool, now)
  if (!isDue(paused_until, now, LONGEST_PAUSE + AHEAD)) {
    throw new ProviderError('rate-limited', 'CoinGecko asked for a pause', { retryAfter: paused_until - now })
  }
  throw new ProviderError('budget', `The month's calls to CoinGecko leave none for ${purpose}`)
}

export type CallBudget = ReturnType<typeof callBudget>

export function callBudget(pool: Pool, total: number, clock: () => number) {
  /** Poll's pace and parts, by the calls that are left. */
  async function plan(now: number, configured: number | undefined, requests: number) {
    const { polling_calls: polled, polled_at, turns } = await look(pool, now)
    return { polled_at, turns, ...pollPlan({ total, polled, now }, configured, requests) }
  }

  return {
    total,

    /** Counts one call. @throws ProviderError where it must not be made */
    spend: (purpose: CallPurpose, share: CallShare): Promise<void> =>
      spendCall(pool, { total, now: clock() }, purpose, share),

    /** True while users have left over half of the calls that a share has been given so far. */
    hasSpare: async (share: Exclude<CallShare, 'polling'>): Promise<boolean> => {
      const now = clock()
      const { calls, polling_calls, asked_calls } = await look(pool, now)
      const used = share === 'asked' ? asked_calls : calls - polling_calls
      return used < demandAllowed({ total, now }, share) / 2
    },

    /** Pauses all calls for so many milliseconds, or longer if an earlier pause ends later. */
    pause: async (milliseconds: number): Promise<void> => {
      const now = clock()
      await pool.query(
        `INSERT INTO market_calls AS m (month, calls, paused_until) VALUES ($1, 0, $2)
         ON CONFLICT (month) DO UPDATE SET paused_until = CASE WHEN m.paused_until > $3::bigint THEN excluded.paused_until
           ELSE GREATEST(m.paused_until, excluded.paused_until) END`,
        [monthOf(now), Math.ceil(now + milliseconds), now + LONGEST_PAUSE + AHEAD],
      )
    },

    /** Milliseconds after which a poll of so many requests has asked for each coin again. */
    round: async (configured: number | undefined, requests: number): Promise<number> => {
      const { pace, restEvery } = await plan(clock(), configured, requests)
      return pace * restEvery
    },

    /**
     * Notes the turn if the watched coins are to be polled now; null: not yet.
     * @param requests that a poll of all of them takes
     */
    takeTurn: async (configured: number | undefined, requests: number): Promise<{ readonly all: boolean } | null> => {
      const now = clock()
      const { polled_at, turns, pace, restEvery } = await plan(now, configured, requests)
      // The job asks once in `configured` or the usual pace, not to the millisecond.
      const grace = (configured ?? POLL_INTERVAL) / 2
      if (polled_at <= now && now - polled_at < pace - grace) return null
      await pool.query(
        `INSERT INTO market_calls AS m (month, calls, polled_at, turns) VALUES ($1, 0, $2, 1)
         ON CONFLICT (month) DO UPDATE SET polled_at = excluded.polled_at, turns = m.turns + 1`,
        [monthOf(now), now],
      )
      return { all: turns % restEvery === 0 }
    },
  }
}
