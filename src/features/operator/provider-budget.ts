import type { Overview } from '../../contract/admin'

/** Shares of one: of the month's calls that are used up, and of the month that is gone. */
export interface Budget {
  readonly used: number
  readonly gone: number
}

/** Null where nothing counts the calls. Months are those of UTC, as the server counts them. */
export function providerBudget({ at, market }: Pick<Overview, 'at' | 'market'>): Budget | null {
  if (market.provider_budget === null) return null
  const now = new Date(at)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const begin = Date.UTC(year, month)
  return {
    used: market.provider_budget === 0 ? 1 : market.provider_calls / market.provider_budget,
    gone: (now.getTime() - begin) / (Date.UTC(year, month + 1) - begin),
  }
}
