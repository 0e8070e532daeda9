import type { Overview } from '../../contract/admin'
import { withDecimals } from '../../domain/format-number'
import { formatAge } from '../../domain/format-time'
import { PRICES_STALE_AFTER } from '../../state/live-data'
import { providerBudget } from './provider-budget'

/** Shares of a month's calls by which they may run ahead of the month: polling is paced, history is not. */
const AHEAD = 0.15
/** How much may wait in one queue before it is worth a word. */
const LONG_QUEUE = 100

const percent = (share: number) => `${withDecimals(share * 100, 0)} %`

/** What an operator should look at, in sentences; none where all is well. */
export function concerns(overview: Overview): readonly string[] {
  const { market, queues } = overview
  const found: string[] = []
  const age = market.newest_price_at === null ? null : Date.parse(overview.at) - Date.parse(market.newest_price_at)
  if (age === null) found.push('There are no prices.')
  else if (age > PRICES_STALE_AFTER) found.push(`The newest price is from ${formatAge(age)}.`)

  const budget = providerBudget(overview)
  if (budget !== null && budget.used >= 1) found.push('The calls of this month are used up.')
  else if (budget !== null && budget.used - budget.gone > AHEAD) {
    found.push(`${percent(budget.used)} of the calls are used, and ${percent(budget.gone)} of the month is gone.`)
  }

  const waiting = { crossings: queues.crossings, deliveries: queues.deliveries, mails: queues.mails }
  for (const [what, count] of Object.entries(waiting)) {
    if (count > LONG_QUEUE) found.push(`${withDecimals(count, 0)} ${what} wait.`)
  }
  if (queues.late_jobs.length > 0) found.push(`Late: ${queues.late_jobs.join(', ')}.`)
  if (queues.failing_jobs.length > 0) found.push(`Failing: ${queues.failing_jobs.join(', ')}.`)
  return found
}
