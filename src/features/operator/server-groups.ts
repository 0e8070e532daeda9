import type { Overview } from '../../contract/admin'
import { COUNTED_TO, countedWords } from '../../domain/counted-to'
import { formatBytes } from '../../domain/format-bytes'
import { withDecimals } from '../../domain/format-number'
import { formatAge } from '../../domain/format-time'
import { type Budget, providerBudget } from '../../domain/concerns'
import { SOURCE_WORDS } from '../../state/server-settings'
import type { Fact } from '../../ui/facts'

/** One subject; its card shows `main` large. */
export interface FigureGroup {
  readonly title: string
  readonly main: Fact
  readonly facts: readonly Fact[]
  /** How much of a month's calls is used up. */
  readonly budget?: Budget
}

const figure = (value: number): string => withDecimals(value, 0)
const fact = (name: string, value: number): Fact => ({ name, value: figure(value) })

const listed = (names: readonly string[]): string => (names.length === 0 ? 'None' : names.join(', '))

/** How long before the overview a moment was. */
const ageOf = ({ at }: Pick<Overview, 'at'>, moment: string | null, none: string) =>
  moment === null ? none : formatAge(Date.parse(at) - Date.parse(moment))

/** The server's figures by subject; ages are those at the moment of the figures. */
export const serverGroups = (overview: Overview): readonly FigureGroup[] => [
  marketGroup(overview),
  alertsGroup(overview),
  queuesGroup(overview),
  accountsGroup(overview),
  billingGroup(overview),
  ...(overview.storage === undefined ? [] : [storageGroup(overview.storage, overview)]),
]

function marketGroup(overview: Overview): FigureGroup {
  const { market } = overview
  const budget = providerBudget(overview)
  const calls = figure(market.provider_calls)
  return {
    title: 'Market',
    main: { name: 'Newest price', value: ageOf(overview, market.newest_price_at, 'None') },
    facts: [
      { name: 'Source', value: SOURCE_WORDS[market.source] },
      fact('Coins priced', market.coins_priced),
      fact('Coins watched', market.coins_watched),
      {
        name: 'Calls this month',
        value: market.provider_budget === null ? calls : `${calls} of ${figure(market.provider_budget)}`,
      },
    ],
    ...(budget && { budget }),
  }
}

const alertsGroup = ({ alerts }: Overview): FigureGroup => ({
  title: 'Alerts, 24 h',
  main: fact('Crossings', alerts.crossings),
  facts: [
    fact('Sent', alerts.sent),
    fact('Undeliverable', alerts.undeliverable),
    {
      name: 'Median delay',
      value: alerts.median_seconds === null ? '–' : `${withDecimals(alerts.median_seconds, 1)} s`,
    },
  ],
})

/** The length of these queues, each of which the server counts up to a limit. */
const waiting = (name: string, ...queues: readonly number[]): Fact => {
  const all = figure(queues.reduce((sum, length) => sum + length, 0))
  return { name, value: queues.some((length) => length >= COUNTED_TO.waiting) ? `${all} or more` : all }
}

const queuesGroup = ({ queues }: Overview): FigureGroup => ({
  title: 'Queues',
  main: waiting('Waiting', queues.crossings, queues.deliveries, queues.mails, queues.billing_removals),
  facts: [
    waiting('Crossings', queues.crossings),
    waiting('Deliveries', queues.deliveries),
    waiting('Mails', queues.mails),
    fact('Billing removals', queues.billing_removals),
    { name: 'Late jobs', value: listed(queues.late_jobs) },
    { name: 'Failing jobs', value: listed(queues.failing_jobs) },
  ],
})

const rowsOf = (name: string, value: number): Fact => ({ name, value: countedWords(value, COUNTED_TO.all) })

const accountsGroup = ({ accounts }: Overview): FigureGroup => ({
  title: 'Accounts',
  main: rowsOf('Users', accounts.users),
  facts: [
    rowsOf('Premium', accounts.premium),
    rowsOf('Guests', accounts.guests),
    rowsOf('Widgets', accounts.widgets),
    rowsOf('Armed sides', accounts.armed_sides),
  ],
})

const billingGroup = (overview: Overview): FigureGroup => {
  const { billing } = overview
  return {
    title: 'Billing',
    main: fact('Paying', billing.paying),
    facts: [
      fact('Granted', billing.granted),
      { name: 'Payments', value: billing.sandbox ? 'Sandbox' : billing.available ? 'Stripe' : 'Not set up' },
      { name: 'Last event', value: ageOf(overview, billing.newest_event_at, 'None yet') },
    ],
  }
}

const ENGINES = { pglite: 'Embedded', postgres: 'PostgreSQL' } as const

function storageGroup(storage: NonNullable<Overview['storage']>, overview: Overview): FigureGroup {
  const { engine, database_bytes, log_bytes, disk_bytes, disk_free_bytes } = storage
  return {
    title: 'Storage',
    main: { name: 'Database', value: formatBytes(database_bytes) },
    facts: [
      { name: 'Engine', value: ENGINES[engine] },
      { name: 'Version', value: overview.version },
      // Sizes that the server may not see are left out.
      ...(log_bytes === null ? [] : [{ name: 'Log', value: formatBytes(log_bytes) }]),
      ...(disk_bytes === null || disk_free_bytes === null
        ? []
        : [{ name: 'Disk free', value: `${formatBytes(disk_free_bytes)} of ${formatBytes(disk_bytes)}` }]),
      { name: 'Last backup', value: ageOf(overview, storage.last_backup_at, 'None yet') },
    ],
  }
}
