import { COUNTED_TO, countedWords } from './counted-to'
import { formatBytes } from './format-bytes'
import { withDecimals } from './format-number'
import { formatAge } from './format-time'
import { PRICES_STALE_AFTER } from './live-prices'

/** Figures of a server that may give an operator concern: part of the contract's `Overview`. */
export interface ServerFigures {
  readonly at: string
  readonly market: {
    readonly newest_price_at: string | null
    readonly coins_watched: number
    readonly provider_calls: number
    readonly provider_budget: number | null
  }
  readonly queues: {
    readonly crossings: number
    readonly deliveries: number
    readonly mails: number
    readonly late_jobs: readonly string[]
    readonly failing_jobs: readonly string[]
  }
  readonly storage?:
    | {
        readonly engine: 'pglite' | 'postgres'
        readonly log_bytes: number | null
        readonly disk_bytes: number | null
        readonly disk_free_bytes: number | null
        readonly last_backup_at: string | null
        readonly backup_every_seconds: number | null
      }
    | undefined
  readonly retention?:
    | {
        readonly is_doubted: boolean
        readonly held_until: string | null
        readonly would_remove: Readonly<Record<string, number>>
      }
    | null
    | undefined
}

/** A concern for an operator; `kind` stays while the numbers in its sentence change. */
export interface Concern {
  readonly kind: string
  readonly sentence: string
}

/** The periodic job that fails while mails cannot be sent. */
export const MAIL_WATCH = 'send-mails'

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

/** Concerns for an operator; none if all is well. */
export function concerns(figures: ServerFigures): readonly Concern[] {
  const { at, market, queues } = figures
  const found: Concern[] = []
  const add = (kind: string, sentence: string): void => void found.push({ kind, sentence })
  // No price is fetched for nobody.
  const age =
    market.coins_watched === 0
      ? 0
      : market.newest_price_at === null
        ? null
        : Date.parse(at) - Date.parse(market.newest_price_at)
  if (age === null) add('no-prices', 'There are no prices.')
  else if (age > PRICES_STALE_AFTER) add('old-prices', `The newest price is from ${formatAge(age)}.`)

  const budget = providerBudget(figures)
  if (budget !== null && budget.used >= 1) add('no-calls', 'The calls of this month are used up.')
  else if (budget !== null && budget.used - budget.gone > AHEAD) {
    add(
      'fast-calls',
      `${percent(budget.used)} of the calls are used, and ${percent(budget.gone)} of the month is gone.`,
    )
  }

  const waiting = { crossings: queues.crossings, deliveries: queues.deliveries, mails: queues.mails }
  for (const [what, count] of Object.entries(waiting)) {
    if (count > LONG_QUEUE) add(`many-${what}`, `${countedWords(count, COUNTED_TO.waiting)} ${what} wait.`)
  }
  found.push(...storageConcerns(figures))
  if (figures.retention != null) add('clock', clockSentence(figures.retention))
  const failing = queues.failing_jobs.filter((job) => job !== MAIL_WATCH)
  if (failing.length < queues.failing_jobs.length) add('mail', 'Mails cannot be sent: the log says why.')
  if (queues.late_jobs.length > 0) add(`late ${queues.late_jobs.join()}`, `Late: ${queues.late_jobs.join(', ')}.`)
  if (failing.length > 0) add(`failing ${failing.join()}`, `Failing: ${failing.join(', ')}.`)
  return found
}

function clockSentence({ is_doubted, held_until, would_remove }: NonNullable<ServerFigures['retention']>): string {
  const held = is_doubted || held_until === null ? 'until it is confirmed' : `before ${held_until.slice(0, 16)}Z`
  const kept = Object.entries(would_remove).map(([job, rows]) => `${job} ${withDecimals(rows, 0)}`)
  const rows = kept.length === 0 ? '' : ` Rows that would go: ${kept.join(', ')}.`
  return `The server’s clock has jumped, drifted or stood still: nothing is removed by its age ${held}.${rows}`
}

function storageConcerns({ at, storage }: ServerFigures): readonly Concern[] {
  if (storage === undefined) return []
  const { engine, log_bytes, disk_bytes, disk_free_bytes: free, last_backup_at, backup_every_seconds: every } = storage
  const found: Concern[] = []
  if (disk_bytes !== null && free !== null && (free < disk_bytes * FREE_SHARE || free < FREE_BYTES)) {
    const sentence = `The server’s disk is nearly full: ${formatBytes(free)} of ${formatBytes(disk_bytes)} are free.`
    found.push({ kind: 'disk', sentence })
  }
  // PostgreSQL decides by its own settings how long its log may be.
  if (engine === 'pglite' && log_bytes !== null && log_bytes > LONG_LOG) {
    found.push({ kind: 'long-log', sentence: `The database’s log has grown to ${formatBytes(log_bytes)}.` })
  }
  if (every === null) return found
  const age = last_backup_at === null ? null : Date.parse(at) - Date.parse(last_backup_at)
  if (age === null) found.push({ kind: 'no-backup', sentence: 'There is no backup yet.' })
  else if (age > every * 1000 * BACKUP_TOLERANCE) {
    found.push({ kind: 'old-backup', sentence: `The last backup is from ${formatAge(age)}.` })
  }
  return found
}

/** Shares of one: of the month's calls that are used up, and of the month that is gone. */
export interface Budget {
  readonly used: number
  readonly gone: number
}

/** Null where nothing counts the calls. Months are those of UTC, as the server counts them. */
export function providerBudget({ at, market }: Pick<ServerFigures, 'at' | 'market'>): Budget | null {
  if (market.provider_budget === null) return null
  const now = new Date(at)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const begin = Date.UTC(year, month)
  return {
    used: market.provider_budget === 0 ? 1 : market.provider_calls / market.provider_budget,
    gone: (now.getTime() - begin) / (Date.UTC(year, month + 1) - begin),
  }
}
