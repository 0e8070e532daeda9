import { canonicalJson, type Setup, type SetupCheckpoint, type SetupDevice, type SetupPair } from '../domain/setup-file'
import { accountOf } from './account'
import { pairName, readSnapshot, type Snapshot, snapshotTables } from './snapshot'
import type { LocalDatabase } from './database'
import { readMeta } from './queries/meta'
import { chartChoicesOf, dashboardChoiceOf } from './setup-device'

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
  /** Charts or dashboard will look otherwise than now on this device. */
  readonly changesViews: boolean
}

export type PlannedSetup =
  { readonly ok: true; readonly plan: SetupPlan } | { readonly ok: false; readonly problem: string }

const NO_COINS = 'The list of coins has not been loaded yet. Load the setup when it is there.'

export async function planSetup(
  db: LocalDatabase,
  snapshot: Snapshot,
  { pairs, device }: Setup,
): Promise<PlannedSetup> {
  const { coins, shown, limits, session } = snapshot
  if (coins.length === 0 && pairs.length > 0) return { ok: false, problem: NO_COINS }
  const known = new Set<string>(coins.map(({ id }) => id))
  const unknown = pairs.flatMap(({ base, quote }) => [base, quote]).find((coin) => !known.has(coin))
  if (unknown !== undefined) {
    return { ok: false, problem: `This setup cannot be loaded: there is no coin called ${unknown}.` }
  }
  const isThere = ({ base, quote }: SetupPair) => shown.some((one) => one.coin_a_id === base && one.coin_b_id === quote)
  const room = Math.max(0, limits.max_widgets - shown.length)
  const missing = pairs.filter((pair) => !isThere(pair))
  const most = accountOf(session) === 'guest' ? 1 : limits.max_checkpoints_per_widget
  const add = missing.slice(0, room).map((pair) => ({ ...pair, checkpoints: fitting(pair.checkpoints, most) }))
  const nameOf = ({ base, quote }: SetupPair) => pairName(snapshot, base, quote)
  const count = (list: readonly SetupPair[]) => list.reduce((sum, { checkpoints }) => sum + checkpoints.length, 0)
  return {
    ok: true,
    plan: {
      add,
      adds: add.map(nameOf),
      there: pairs.filter(isThere).map(nameOf),
      beyond: missing.slice(room).map(nameOf),
      checkpointsBeyond: count(missing.slice(0, room)) - count(add),
      changesViews: await changesViews(db, device),
    },
  }
}

async function changesViews(db: LocalDatabase, device: SetupDevice): Promise<boolean> {
  const differs = (wanted: unknown, present: unknown): boolean =>
    wanted !== null && canonicalJson(wanted) !== canonicalJson(present ?? null)
  return (
    differs(chartChoicesOf(device), await readMeta(db, 'chart_choices')) ||
    differs(dashboardChoiceOf(device), await readMeta(db, 'dashboard'))
  )
}

/** The first ones, the default one among them. */
function fitting(list: readonly SetupCheckpoint[], most: number): readonly SetupCheckpoint[] {
  const chosen = list.find(({ is_default }) => is_default) ?? list.at(-1)
  const others = list.filter((one) => one !== chosen).slice(0, Math.max(0, most - 1))
  return list.filter((one) => one === chosen || others.includes(one))
}

/** The plan for the preview. Undefined before there is an identity. */
export async function previewSetup(db: LocalDatabase, setup: Setup): Promise<PlannedSetup | undefined> {
  return db.transaction('r', snapshotTables(db), async () => {
    const snapshot = await readSnapshot(db)
    return snapshot && (await planSetup(db, snapshot, setup))
  })
}
