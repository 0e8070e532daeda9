import { tempWidgetId } from '../domain/ids'
import { PAIR_ORDERS } from '../domain/pair-order'
import { isPeriod } from '../domain/chart-periods'
import { noRoomForRule } from '../domain/rule-kinds'
import {
  canonicalJson,
  type Setup,
  type SetupCheckpoint,
  type SetupDevice,
  type SetupPair,
  type SetupRule,
} from '../domain/setup-file'
import { accountOf } from './account'
import { type CommandContext, type CommandResult, done, NO_SESSION, runCommand } from './command'
import { type LocalDatabase, readMeta, writeMeta } from './database'
import { appendPair, setupPairOf } from './outbox'
import type { MetaRows } from './rows'
import { pairName, type Snapshot } from './snapshot'
import { withSnapshot } from './board-rows'
const CHANGED = 'Your pairs have changed since the preview, and nothing was loaded. Choose the file again.'

/**
 * Adds the pairs of a setup with thresholds, alerts and checkpoints, and takes over the looks of charts and dashboard: all
 * of the preview, or nothing. A setup that is loaded again finds its pairs there.
 * @param seen the plan that the preview showed
 */
export function loadSetup(context: CommandContext, setup: Setup, seen: SetupPlan): Promise<CommandResult> {
  return runCommand(context, NO_SESSION, async (snapshot) => {
    const planned = await planSetup(context.db, snapshot, setup)
    if (!planned.ok) return { ok: false, message: planned.problem }
    if (canonicalJson(planned.plan) !== canonicalJson(seen)) return { ok: false, message: CHANGED }
    for (const pair of planned.plan.add) await appendPair(context, snapshot, tempWidgetId(context.uuid()), pair)
    const charts = chartChoicesOf(setup.device)
    if (charts !== null) await writeMeta(context.db, 'chart_choices', charts)
    const dashboard = dashboardChoiceOf(setup.device)
    if (dashboard !== null) await writeMeta(context.db, 'dashboard', dashboard)
    return done
  })
}

/** The effects of loading a setup for the current user or guest. */
export interface SetupPlan {
  /** With as many checkpoints as the tier holds. */
  readonly add: readonly SetupPair[]
  /** Their names, such as `BTC/ETH`. */
  readonly adds: readonly string[]
  /** Pairs that are there already, and stay as they are. */
  readonly there: readonly string[]
  /** Pairs beyond the tier's limit. */
  readonly beyond: readonly string[]
  /** Checkpoints beyond it, of the pairs that are added. */
  readonly checkpointsBeyond: number
  /** Alerts beside thresholds for which the tier, or the server's version, has no room. */
  readonly rulesBeyond: number
  /** Charts or dashboard will look otherwise than now on this device. */
  readonly changesViews: boolean
}

export type PlannedSetup =
  | { readonly ok: true; readonly plan: SetupPlan }
  | { readonly ok: false; readonly problem: string }

const NO_COINS = 'The list of coins has not been loaded yet. Load the setup when it is there.'

async function planSetup(db: LocalDatabase, snapshot: Snapshot, { pairs, device }: Setup): Promise<PlannedSetup> {
  const { coins, shown, limits, session } = snapshot
  if (coins.length === 0 && pairs.length > 0) return { ok: false, problem: NO_COINS }
  const known = new Set<string>(coins.map(({ id }) => id))
  const unknown = pairs.flatMap(({ base, quote }) => [base, quote]).find((coin) => !known.has(coin))
  if (unknown) return { ok: false, problem: `This setup cannot be loaded: there is no coin called ${unknown}.` }
  const isThere = ({ base, quote }: SetupPair) => shown.some((one) => one.coin_a_id === base && one.coin_b_id === quote)
  const room = Math.max(0, limits.max_widgets - shown.length)
  const missing = pairs.filter((pair) => !isThere(pair))
  const maxCheckpoints = accountOf(session) === 'guest' ? 1 : limits.max_checkpoints_per_widget
  const config = (await readMeta(db, 'config'))?.config
  // An older server refuses them, and the thresholds with them.
  const without = config && !config.alert_features?.includes('margin') ? { margin: 0, hold_minutes: 0 } : {}
  const roomForRules = ruleRoom(snapshot, config?.alert_features?.includes('rules') === true)
  const add = missing.slice(0, room).map((pair) => ({
    ...pair,
    ...without,
    checkpoints: fitting(pair.checkpoints, maxCheckpoints),
    rules: roomForRules(pair.rules),
  }))
  const nameOf = ({ base, quote }: SetupPair) => pairName(snapshot, base, quote)
  const count = (list: readonly SetupPair[], what: 'checkpoints' | 'rules') =>
    list.reduce((sum, pair) => sum + pair[what].length, 0)
  return {
    ok: true,
    plan: {
      add,
      adds: add.map(nameOf),
      there: pairs.filter(isThere).map(nameOf),
      beyond: missing.slice(room).map(nameOf),
      checkpointsBeyond: count(missing.slice(0, room), 'checkpoints') - count(add, 'checkpoints'),
      rulesBeyond: count(missing.slice(0, room), 'rules') - count(add, 'rules'),
      changesViews: await changesViews(db, device),
    },
  }
}

/** Takes the rules of one new pair after another as long as there is room. */
function ruleRoom({ shown, session }: Snapshot, isServed: boolean) {
  const isPremium = session.user?.has_premium_access ?? false
  let ofBoard = shown.reduce((sum, { rules }) => sum + rules.length, 0)
  return (rules: readonly SetupRule[]): readonly SetupRule[] =>
    rules.filter((_, ofWidget) => {
      const fits = isServed && noRoomForRule({ ofBoard, ofWidget }, isPremium) === null
      if (fits) ofBoard += 1
      return fits
    })
}

async function changesViews(db: LocalDatabase, device: SetupDevice): Promise<boolean> {
  const differs = (wanted: unknown, present: unknown): boolean =>
    wanted !== null && canonicalJson(wanted) !== canonicalJson(present ?? null)
  return (
    differs(chartChoicesOf(device), await readMeta(db, 'chart_choices')) ||
    differs(dashboardChoiceOf(device), await readMeta(db, 'dashboard'))
  )
}

/** The first `max` checkpoints, the default one among them. */
function fitting(list: readonly SetupCheckpoint[], max: number): readonly SetupCheckpoint[] {
  const chosen = list.find(({ is_default }) => is_default) ?? list.at(-1)
  const others = list.filter((one) => one !== chosen).slice(0, Math.max(0, max - 1))
  return list.filter((one) => one === chosen || others.includes(one))
}

/** The plan for the preview. Undefined before there is an identity. */
export async function previewSetup(db: LocalDatabase, setup: Setup): Promise<PlannedSetup | undefined> {
  return withSnapshot(db, (snapshot) => planSetup(db, snapshot, setup))
}

/** How this device draws charts and lists pairs, for a setup's file; without what the user has never chosen. */
export async function readViewSettings(db: LocalDatabase): Promise<SetupDevice> {
  const [charts, dashboard] = await Promise.all([readMeta(db, 'chart_choices'), readMeta(db, 'dashboard')])
  return {
    ...(charts !== undefined && { chart_average: charts.average, chart_bands: charts.bands }),
    ...(charts !== undefined && charts.period !== null && { chart_period: charts.period }),
    ...(dashboard !== undefined && { dashboard_view: dashboard.view, dashboard_order: dashboard.order }),
    ...(dashboard !== undefined && { dashboard_keys: dashboard.keys }),
  }
}

/** A setup's choices for charts; null: nothing that this version knows. */
export function chartChoicesOf(device: SetupDevice): MetaRows['chart_choices'] | null {
  const { chart_average, chart_bands, chart_period } = device
  if (typeof chart_average !== 'boolean' || typeof chart_bands !== 'boolean') return null
  const period = typeof chart_period === 'string' && isPeriod(chart_period) ? chart_period : null
  return { average: chart_average, bands: chart_bands, period }
}

/** A setup's choices for the dashboard; null: nothing that this version knows. */
export function dashboardChoiceOf(device: SetupDevice): MetaRows['dashboard'] | null {
  const { dashboard_view: view, dashboard_keys: keys } = device
  const order = PAIR_ORDERS.find((one) => one === device['dashboard_order'])
  const isKnown = (view === 'cards' || view === 'list') && order !== undefined && typeof keys === 'boolean'
  return isKnown ? { view, order, keys } : null
}

/** The present owner's pairs as the screen shows them, waiting changes included. */
export async function readSetupPairs(db: LocalDatabase): Promise<readonly SetupPair[]> {
  return (await withSnapshot(db, ({ shown }) => shown.map(setupPairOf))) ?? []
}
