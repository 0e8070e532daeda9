import type { Overview } from '../../contract/admin'
import { withDecimals } from '../../domain/format-number'
import { formatAge } from '../../domain/format-time'
import { formatBytes } from '../../ui/device-facts'
import { PRICES_STALE_AFTER } from '../../domain/live-prices'
import { providerBudget } from './server-groups'

/** Shares of a month's calls by which they may run ahead of the month: polling is paced, history is not. */
const AHEAD = 0.15
/** A queue longer than this is a concern. */
const LONG_QUEUE = 100

/** A disk is nearly full if less than this share of it, or fewer bytes, are free. */
const FREE_SHARE = 0.1
const FREE_BYTES = 1_000_000_000
/** The embedded database keeps its log below 100 MB, unless its checkpoints fail. */
const LONG_LOG = 200_000_000
/** A backup may be this many times as old as the interval between backups. */
const BACKUP_TOLERANCE = 1.5

const percent = (share: number) => `${withDecimals(share * 100, 0)} %`

/** Concerns for an operator, as sentences; none if all is well. */
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
  found.push(...storageConcerns(overview))
  if (overview.retention != null) found.push(clockConcern(overview.retention))
  if (queues.late_jobs.length > 0) found.push(`Late: ${queues.late_jobs.join(', ')}.`)
  if (queues.failing_jobs.length > 0) found.push(`Failing: ${queues.failing_jobs.join(', ')}.`)
  return found
}

function clockConcern({ is_doubted, held_until, would_remove }: NonNullable<Overview['retention']>): string {
  const held = is_doubted || held_until === null ? 'until it is confirmed' : `before ${held_until.slice(0, 16)}Z`
  const kept = Object.entries(would_remove).map(([job, rows]) => `${job} ${withDecimals(rows, 0)}`)
  const rows = kept.length === 0 ? '' : ` Rows that would go: ${kept.join(', ')}.`
  return `The server’s clock has jumped, drifted or stood still: nothing is removed by its age ${held}.${rows}`
}

function storageConcerns({ at, storage }: Overview): readonly string[] {
  if (storage === undefined) return []
  const { engine, log_bytes, disk_bytes, disk_free_bytes: free, last_backup_at, backup_every_seconds: every } = storage
  const found: string[] = []
  if (disk_bytes !== null && free !== null && (free < disk_bytes * FREE_SHARE || free < FREE_BYTES)) {
    found.push(`The server’s disk is nearly full: ${formatBytes(free)} of ${formatBytes(disk_bytes)} are free.`)
  }
  // PostgreSQL decides by its own settings how long its log may be.
  if (engine === 'pglite' && log_bytes !== null && log_bytes > LONG_LOG) {
    found.push(`The database’s log has grown to ${formatBytes(log_bytes)}.`)
  }
  if (every === null) return found
  const age = last_backup_at === null ? null : Date.parse(at) - Date.parse(last_backup_at)
  if (age === null) found.push('There is no backup yet.')
  else if (age > every * 1000 * BACKUP_TOLERANCE) found.push(`The last backup is from ${formatAge(age)}.`)
  return found
}
