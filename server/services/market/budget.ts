import type { Pool } from 'pg'
import type { CallPurpose } from '../../adapters/market-data/coingecko/coingecko'
import { ProviderError } from '../../adapters/market-data/provider'
import type { Env } from '../../env'

/**
 * The calls that a month allows, counted in the database so that restarts and other processes count along. Polling is
 * paced so that it ends with the month; history is fetched on demand from what polling does not need.
 */

/** What a demo key allows; nobody states what one may do without a key, so that is treated alike. */
const DEMO_CALLS = 10_000
/** The smallest of the paid plans. */
const PRO_CALLS = 500_000
/** Part of a month's calls that stands ready for polling and the coin list until they have used it. */
const POLLING_SHARE = 0.7
/** Below this part of a month's calls, a wished pace gives way to one that lasts. */
const LOW_WATER = 0.3
/** The specification's pace, milliseconds. */
export const USUAL_PACE = 75_000

export const monthlyCalls = (env: Pick<Env, 'COINGECKO_MONTHLY_CALLS' | 'COINGECKO_PRO_API_KEY'>): number =>
  env.COINGECKO_MONTHLY_CALLS ?? (env.COINGECKO_PRO_API_KEY === undefined ? DEMO_CALLS : PRO_CALLS)

const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

/** Milliseconds of this month, in all and still to come. */
function monthSpan(now: number): { total: number; left: number } {
  const date = new Date(now)
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  return { total: end - start, left: end - now }
}

/** Calls that must be left over for polling until the end of the month. */
export function pollingReserve(total: number, now: number): number {
  const month = monthSpan(now)
  return Math.ceil((total * POLLING_SHARE * month.left) / month.total)
}

/**
 * Milliseconds from one poll to the next.
 * @param wished PRICE_POLL_SECONDS in milliseconds, obeyed until the month's calls run low
 * @param callsPerPoll requests that one poll takes
 */
export function pollPace(
  { total, used, now }: { total: number; used: number; now: number },
  wished: number | undefined,
  callsPerPoll: number,
): number {
  const remaining = total - used
  const lasting = (monthSpan(now).left * callsPerPoll) / Math.max(1, remaining * POLLING_SHARE)
  if (wished === undefined) return Math.max(USUAL_PACE, lasting)
  return remaining > total * LOW_WATER ? wished : Math.max(wished, lasting)
}

/** Calls made in this month so far, by all processes; none where nothing counts them. */
export async function callsThisMonth(pool: Pool, now: number): Promise<number> {
  return (await look(pool, now)).calls
}

async function look(pool: Pool, now: number): Promise<{ calls: number; paused_until: number; polled_at: number }> {
  const { rows } = await pool.query<{ calls: number; paused_until: number; polled_at: number }>(
    'SELECT calls, paused_until::float8, polled_at::float8 FROM market_calls WHERE month = $1',
    [monthOf(now)],
  )
  return rows[0] ?? { calls: 0, paused_until: 0, polled_at: 0 }
}

export interface Budget {
  readonly total: number
  /** Counts one call. @throws ProviderError where it must not be made */
  spend(purpose: CallPurpose): Promise<void>
  /** Everybody is silent for so many milliseconds from now, or for longer where that was asked before. */
  pause(milliseconds: number): Promise<void>
  /** @returns whether the watched coins are to be polled now; if so, that is noted */
  takeTurn(wished: number | undefined, callsPerPoll: number): Promise<boolean>
}

export function callBudget(pool: Pool, total: number, clock: () => number): Budget {
  return {
    total,

    spend: async (purpose) => {
      const now = clock()
      const allowed = purpose === 'history' || purpose === 'soon' ? total - pollingReserve(total, now) : total
      const { rowCount } = await pool.query(
        `INSERT INTO market_calls AS m (month, calls) SELECT $1, 1 WHERE $2::int >= 1
         ON CONFLICT (month) DO UPDATE SET calls = m.calls + 1 WHERE m.calls < $2 AND m.paused_until <= $3`,
        [monthOf(now), allowed, now],
      )
      if (rowCount === 1) return
      const { paused_until } = await look(pool, now)
      if (paused_until > now) {
        throw new ProviderError('rate-limited', 'CoinGecko asked for a pause', { retryAfter: paused_until - now })
      }
      throw new ProviderError('budget', `The month's calls to CoinGecko leave none for ${purpose}`)
    },

    pause: async (milliseconds) => {
      const now = clock()
      await pool.query(
        `INSERT INTO market_calls AS m (month, calls, paused_until) VALUES ($1, 0, $2)
         ON CONFLICT (month) DO UPDATE SET paused_until = GREATEST(m.paused_until, excluded.paused_until)`,
        [monthOf(now), now + milliseconds],
      )
    },

    takeTurn: async (wished, callsPerPoll) => {
      const now = clock()
      const { calls, polled_at } = await look(pool, now)
      const pace = pollPace({ total, used: calls, now }, wished, callsPerPoll)
      // Whoever asks does so once in `wished` or the usual pace, not to the millisecond.
      const grace = (wished ?? USUAL_PACE) / 2
      if (polled_at <= now && now - polled_at < pace - grace) return false
      await pool.query(
        `INSERT INTO market_calls (month, calls, polled_at) VALUES ($1, 0, $2)
         ON CONFLICT (month) DO UPDATE SET polled_at = excluded.polled_at`,
        [monthOf(now), now],
      )
      return true
    },
  }
}
