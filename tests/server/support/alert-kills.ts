import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { openDatabase } from '../../../server/db/open'
import type { Env } from '../../../server/env'
import { alertTape, TAPE_COINS, tapedWidgets, type TapedWidget, type TapeStep } from './alert-tape'
import { type AlertWorker, startAlertWorker } from './alert-workers'
import { testProgramFiles } from './program-files'
import { seeded } from './seeded'
import { listCoins } from './alert-prices'

/** Rows that must stand in the database after a tape, as lines of text. */
interface Expected {
  /** time, widget, side, epoch, ratio, threshold and when it came back, of every crossing, in order of time, widget and side. */
  readonly events: readonly string[]
  /** Flags and epochs of each widget. */
  readonly flags: readonly string[]
}

interface Side {
  on: boolean
  epoch: number
  /** When the ratio went beyond the threshold; null: it is not beyond. */
  since: number | null
  /** The latest crossing. */
  event: (string | number)[] | null
}

interface Known {
  readonly usd: number
  readonly at: number
  readonly seen: number
}

const MINUTE = 60_000
const TEN_MINUTES = 10 * MINUTE

/** The rule once more, from the specification and without the program: every widget is looked at after every update. */
function expectedAlerts(widgets: readonly TapedWidget[], steps: readonly TapeStep[]): Expected {
  const known = new Map<string, Known>()
  const armed = (): Side => ({ on: true, epoch: 0, since: null, event: null })
  const sides = widgets.map(() => ({ high: armed(), low: armed() }))
  const events: (string | number)[][] = []
  for (const { now, answer } of steps) {
    for (const [coin, entry] of Object.entries(answer)) {
      const { usd, last_updated_at: seconds } = entry as { usd: unknown; last_updated_at: number | null }
      if (typeof usd !== 'number' || !(usd >= 0 && usd < Infinity)) continue
      const at = seconds === null ? now : Math.min(now, seconds * 1000)
      const before = known.get(coin)
      if (before === undefined || before.at <= at) known.set(coin, { usd, at, seen: now })
    }
    const fresh = (coin: string): number => {
      const price = known.get(coin)
      return price !== undefined && now - price.at <= TEN_MINUTES && now - price.seen <= TEN_MINUTES ? price.usd : NaN
    }
    for (const [index, widget] of widgets.entries()) {
      const ratio = fresh(widget.coin_a_id) / fresh(widget.coin_b_id)
      if (!(ratio >= 0 && ratio < Infinity)) continue
      for (const side of ['high', 'low'] as const) {
        const threshold = widget[`${side}_threshold`]
        if (threshold === null) continue
        const state = sides[index]![side]
        const { alert_margin: margin, alert_hold_minutes: hold } = widget
        const beyond = side === 'high' ? ratio > threshold : ratio < threshold
        const back = side === 'high' ? ratio <= threshold * (1 - margin) : ratio >= threshold * (1 + margin)
        state.since = beyond ? (state.since ?? now) : null
        if (!state.on) {
          if (!back) continue
          state.on = true
          state.epoch++
          state.event?.push(now)
        } else if (state.since !== null && now - state.since >= hold * MINUTE) {
          state.on = false
          state.event = [now, index, side, state.epoch, ratio, threshold]
          events.push(state.event)
        }
      }
    }
  }
  const lines = events.map((event) => event.join(' '))
  return { events: lines, flags: sides.map(({ high, low }) => [high.on, high.epoch, low.on, low.epoch].join(' ')) }
}

interface Options {
  readonly variables: Readonly<Record<string, string>>
  readonly seed: number
  readonly widgets: number
  readonly updates: number
  readonly kills: number
  /** Processes that store every update at the same time; the embedded database has one. */
  readonly workers: number
}

export interface AlertKills {
  readonly expected: Expected
  readonly found: Expected
  /** Updates during which a process was killed before it could say that it was done. */
  readonly interrupted: number
  /** Lines that the workers logged; must be empty. */
  readonly logged: string
}

/** Longest time from telling a worker of an update to killing it: somewhat longer than an update takes. Milliseconds. */
const LATEST_KILL = 15

/**
 * Plays a tape of prices to worker processes that are killed (SIGKILL) again and again; an update that none of them
 * finished comes again. Says what is recorded then, and what an independent reckoning of the tape says.
 */
export async function alertKills({
  variables,
  seed,
  widgets: count,
  updates,
  kills,
  workers: size,
}: Options): Promise<AlertKills> {
  const random = seeded(seed + 2)
  const database = { DATA_DIR: variables['DATA_DIR'] ?? '', DATABASE_URL: variables['DATABASE_URL'] }
  const widgets = tapedWidgets(seed, count)
  const ids = await withDatabase(database, (pool) => fill(pool, widgets))
  const start = () => startAlertWorker({ seed, length: updates, database })
  let workers: AlertWorker[] = await Promise.all(Array.from({ length: size }, start))
  const dead: AlertWorker[] = []
  const due = killSteps(updates, kills, random)
  let interrupted = 0

  for (let step = 0; step < updates; step++) {
    const victim = due.delete(step) ? workers[Math.floor(random() * size)] : undefined
    const stored = workers.map((worker) => worker.store(step))
    if (victim !== undefined) {
      await delay(random() * LATEST_KILL)
      await victim.kill()
      dead.push(victim)
    }
    const done = await Promise.all(stored)
    const failed = workers.find((worker, index) => worker !== victim && !done[index])
    if (failed !== undefined) throw new Error(`A worker ended by itself: ${failed.output()}`)
    if (victim !== undefined) {
      if (!done[workers.indexOf(victim)]) interrupted++
      const alive = workers.filter((worker) => worker !== victim)
      workers = [...alive, await start()]
    }
    if (!done.includes(true)) step--
  }
  await Promise.all(workers.map((worker) => worker.kill()))
  const found = await withDatabase(database, (pool) => recorded(pool, ids))
  const logged = [...workers, ...dead].map((worker) => worker.output()).join('')
  return { expected: expectedAlerts(widgets, alertTape(seed, updates)), found, interrupted, logged }
}

async function withDatabase<T>(
  where: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  work: (pool: Pool) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(where, testProgramFiles(), { durable: false })
  try {
    return await work(database.pool)
  } finally {
    await database.close()
  }
}

function killSteps(updates: number, kills: number, random: () => number): Set<number> {
  const steps = new Set<number>()
  while (steps.size < kills) steps.add(Math.floor(random() * updates))
  return steps
}

/** @returns the widgets' ids, in their order */
async function fill(pool: Pool, widgets: readonly TapedWidget[]): Promise<string[]> {
  await listCoins(pool, TAPE_COINS, 'coingecko')
  await pool.query(
    `INSERT INTO pairs (coin_a_id, coin_b_id) SELECT a, b FROM unnest($1::text[]) a, unnest($1) b WHERE a <> b`,
    [TAPE_COINS],
  )
  // An owner each: the same pair comes again and again.
  const { rows } = await pool.query<{ id: string }>(
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::float8[], $6::int[]) WITH ORDINALITY
         AS g (a, b, high, low, margin, hold, n)
     ), made AS (
       INSERT INTO owners (kind, anonymous_hash, created_at) SELECT 'guest', n::text, now() FROM given RETURNING id, anonymous_hash
     ), put AS (
       INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, high_threshold, low_threshold, alert_margin,
         alert_hold_minutes, notifications_enabled, is_active, created_at)
       SELECT made.id, 0, a, b, p.id, high, low, margin, hold, true, true, now() FROM given
       JOIN made ON made.anonymous_hash = n::text JOIN pairs p ON p.coin_a_id = a AND p.coin_b_id = b
       RETURNING id, owner_id
     )
     SELECT put.id FROM put JOIN made ON made.id = put.owner_id ORDER BY made.anonymous_hash::int`,
    [
      widgets.map((widget) => widget.coin_a_id),
      widgets.map((widget) => widget.coin_b_id),
      widgets.map((widget) => widget.high_threshold),
      widgets.map((widget) => widget.low_threshold),
      widgets.map((widget) => widget.alert_margin),
      widgets.map((widget) => widget.alert_hold_minutes),
    ],
  )
  return rows.map(({ id }) => id)
}

interface EventRow {
  readonly widget_id: string
  readonly side: 'high' | 'low'
  readonly epoch: number
  readonly ratio: number
  readonly threshold: number
  readonly crossed_at: Date
  readonly back_at: Date | null
}

async function recorded(pool: Pool, ids: readonly string[]): Promise<Expected> {
  const place = new Map(ids.map((id, index) => [id, index]))
  const { rows: events } = await pool.query<EventRow>('SELECT * FROM alert_events')
  const { rows: flags } = await pool.query<{ line: string }>(
    `SELECT concat_ws(' ', high_threshold_active::text, high_epoch, low_threshold_active::text, low_epoch) AS line
     FROM widgets JOIN owners ON owners.id = owner_id ORDER BY anonymous_hash::int`,
  )
  const indexed = events.map((event) => ({ ...event, index: place.get(event.widget_id) ?? -1 }))
  const sorted = indexed.toSorted(
    (a, b) => a.crossed_at.getTime() - b.crossed_at.getTime() || a.index - b.index || (a.side < b.side ? -1 : 1),
  )
  return {
    events: sorted.map((event) =>
      [
        event.crossed_at.getTime(),
        event.index,
        event.side,
        event.epoch,
        event.ratio,
        event.threshold,
        ...(event.back_at === null ? [] : [event.back_at.getTime()]),
      ].join(' '),
    ),
    flags: flags.map(({ line }) => line),
  }
}
