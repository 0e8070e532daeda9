import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { type Database, openDatabase } from '../../../server/db/open'
import type { Env } from '../../../server/env'
import { startReceivers, type Receivers, type Heard } from './alert-receivers'
import { alertTape, TAPE_COINS, TAPE_START, tapedWidgets, type TapedWidget } from './alert-tape'
import { type AlertDone, type AlertWorker, startAlertWorker } from './alert-workers'
import { applyEdit, ownerHash } from './apply-edit'
import { type Expected, expectedAlerts, type ExpectedEvent } from './expected-alerts'
import { testProgramFiles } from './program-files'
import { pointsBefore, rulesTape } from './rules-tape'
import { seeded } from './seeded'
import { listCoins } from './alert-prices'

interface Options {
  readonly variables: Readonly<Record<string, string>>
  readonly seed: number
  readonly widgets: number
  readonly updates: number
  readonly kills: number
  /** Processes that store every update at the same time; the embedded database has one. */
  readonly workers: number
}

/** Lines of what stands in the database, or should. */
interface Recorded {
  readonly events: readonly string[]
  readonly states: readonly string[]
}

export interface AlertKills {
  readonly expected: Recorded
  readonly found: Recorded
  /** Recorded events by their kinds. */
  readonly kinds: Readonly<Record<string, number>>
  /** Faults of the messages that arrived; and how many alerts they told of. */
  readonly wrong: readonly string[]
  readonly told: number
  /** Messages that arrived once more, after a kill. */
  readonly again: number
  /** Updates during which a process was killed before it could say that it was done. */
  readonly interrupted: number
  /** Lines that the workers logged; must be empty. */
  readonly logged: string
}

/** Longest time from telling a worker of an update to killing it: somewhat longer than an update takes. Milliseconds. */
const LATEST_KILL = 30
/** Rounds of ten minutes after the tape in which what a killed process had claimed is sent, and the mail of the hour. */
const LAST_ROUNDS = 7
/** Updates after a kill by which what the process had sent has come again. */
const AGAIN_WITHIN = 3

/**
 * Plays a tape of prices and edits to worker processes that are killed (SIGKILL) again and again; an update that none of them
 * finished comes again. Says what is recorded and told then, and what an independent reckoning of the tape says.
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
  const where = { DATA_DIR: variables['DATA_DIR'] ?? '', DATABASE_URL: variables['DATABASE_URL'] }
  const widgets = tapedWidgets(seed, count)
  const tape = rulesTape(seed, count, updates)
  const receivers = await startReceivers()
  const rules = new Map<string, string>()
  const ids = await withDatabase(where, async (database) => {
    const filled = await fill(database.pool, widgets)
    await receivers.register(database.pool, filled.owners, new Date(TAPE_START))
    for (const edit of tape.first) {
      const rule = await applyEdit(database, edit, TAPE_START)
      if (rule !== null) rules.set(edit.op, rule)
    }
    return filled.widgets
  })
  const { pushHost, variables: ways } = receivers
  const setup = { seed, length: updates, widgets: count, database: where, pushHost, variables: ways }
  const start = () => startAlertWorker(setup)
  let workers: AlertWorker[] = await Promise.all(Array.from({ length: size }, start))
  const dead: AlertWorker[] = []
  const due = killSteps(updates, kills, random)
  const killed = new Set(due)
  let interrupted = 0

  for (let step = 0; step < updates + LAST_ROUNDS; step++) {
    receivers.at(step)
    const victim = due.delete(step) ? workers[Math.floor(random() * size)] : undefined
    const stored = workers.map((worker) => worker.store(step))
    if (victim !== undefined) {
      await delay(random() * LATEST_KILL)
      await victim.kill()
      dead.push(victim)
    }
    const done = await Promise.all(stored)
    const failed = workers.find((worker, index) => worker !== victim && done[index] === null)
    if (failed !== undefined) throw new Error(`A worker ended by itself: ${failed.output()}`)
    if (victim !== undefined) {
      if (done[workers.indexOf(victim)] === null) interrupted++
      const alive = workers.filter((worker) => worker !== victim)
      workers = [...alive, await start()]
    }
    for (const [op, rule] of done.flatMap((one) => one?.made ?? [])) rules.set(op, rule)
    if (done.every((one: AlertDone | null) => one === null)) step--
  }
  await Promise.all(workers.map((worker) => worker.kill()))
  const { kinds, ...found } = await withDatabase(where, ({ pool }) => recorded(pool, ids, rules))
  const logged = [...workers, ...dead].map((worker) => worker.output()).join('')
  const expected = expectedAlerts(widgets, alertTape(seed, updates), tape)
  const heard = told(receivers, expected, { ids, rules, killed })
  await receivers.stop()
  return { expected: linesOf(expected), found, kinds, ...heard, interrupted, logged }
}

const linesOf = ({ events, states }: Expected): Recorded => ({
  events: events.map(({ line, back }) => `${line} ${back ?? 'not back'}`).toSorted(),
  states,
})

interface Names {
  /** Ids of the widgets, and of the rules by the keys of their creates. */
  readonly ids: readonly string[]
  readonly rules: ReadonlyMap<string, string>
  /** Updates during which a process was killed. */
  readonly killed: ReadonlySet<number>
}

/**
 * Compares what arrived with what must have: every alert, in one message, which comes again only where a process was killed. At a
 * phone a later crossing may take the place of an earlier one of its rule.
 */
function told(receivers: Receivers, { events }: Expected, { ids, rules, killed }: Names) {
  const wrong: string[] = []
  let [count, again] = [0, 0]
  const due = new Map<number, ExpectedEvent[]>()
  for (const event of events) if (event.told) due.set(event.widget, [...(due.get(event.widget) ?? []), event])
  for (const [widget, id] of ids.entries()) {
    const way = receivers.wayOf(widget)
    if (way === null) continue
    const ofWidget = due.get(widget) ?? []
    const wanted = ofWidget.map(({ name }) =>
      name
        .replace(/^rule:([^:]+)/, (_, op: string) => `rule:${rules.get(op)}`)
        .replace(/^(extreme:)?\d+:(?=high|low)/, (_, extreme = '') => `${extreme}${id}:`),
    )
    if (way === 'telegram' || way === 'email') {
      const heard = inSentences(receivers.told(widget), killed)
      count += heard.told
      again += heard.again
      const { told: least, again: maybe } = heard
      const optional = ofWidget.filter(({ isOptional }) => isOptional).length
      if (wanted.length < least || wanted.length - optional > least + maybe)
        wrong.push(
          `${way} ${widget}: told of ${least} to ${least + maybe}, not ${wanted.length - optional} to ${wanted.length}`,
        )
      continue
    }
    const messages = new Map<string, { readonly ids: Set<string>; readonly steps: number[] }>()
    for (const { id: message, step, events: named } of receivers.arrivals(widget)) {
      for (const name of named) {
        const known = messages.get(name) ?? { ids: new Set(), steps: [] }
        messages.set(name, known)
        known.ids.add(message)
        known.steps.push(step)
      }
    }
    const ruleOf = (name: string) => name.replace(/:\d+$/, '')
    const last = new Map(wanted.filter((name) => messages.has(name)).map((name) => [ruleOf(name), name]))
    for (const [index, name] of wanted.entries()) {
      const arrived = messages.get(name)
      messages.delete(name)
      if (arrived === undefined) {
        const isReplaced = way === 'push' && wanted.indexOf(last.get(ruleOf(name)) ?? '') > index && killed.size > 0
        if (!isReplaced && !ofWidget[index]!.isOptional) wrong.push(`${way} ${widget}: ${name} is missing`)
        continue
      }
      count++
      again += arrived.steps.length - 1
      if (way === 'webhook' && arrived.ids.size > 1) wrong.push(`${way} ${widget}: ${name} in several messages`)
      if (arrived.steps.length > 1 && !killed.has(arrived.steps[0]!)) wrong.push(`${way} ${widget}: ${name} came again`)
    }
    for (const name of messages.keys()) wrong.push(`${way} ${widget}: ${name} is of no crossing`)
  }
  return { wrong, told: count, again }
}

/**
 * Counts the alerts that a chat or mailbox was told of; `again`: in the same words soon after a kill, by which a message that came
 * twice cannot be told from a crossing at the same ratio.
 */
function inSentences(messages: readonly Heard[], killed: ReadonlySet<number>) {
  const first = new Map<string, number>()
  let [told, again] = [0, 0]
  for (const { step, text, alerts } of messages) {
    const before = first.get(text)
    if (before !== undefined && killed.has(before) && step - before <= AGAIN_WITHIN) again += alerts
    else {
      first.set(text, step)
      told += alerts
    }
  }
  return { told, again }
}

async function withDatabase<T>(
  where: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(where, testProgramFiles(), { durable: false })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

function killSteps(updates: number, kills: number, random: () => number): Set<number> {
  const steps = new Set<number>()
  while (steps.size < kills) steps.add(Math.floor(random() * updates))
  return steps
}

/** @returns the ids of the widgets and of their owners, in the order of the widgets */
async function fill(pool: Pool, widgets: readonly TapedWidget[]): Promise<{ widgets: string[]; owners: string[] }> {
  await listCoins(pool, TAPE_COINS, 'coingecko')
  const points = pointsBefore()
  await pool.query(
    `INSERT INTO market_points (coin_key, level, bucket, usd, samples)
     SELECT key, level, bucket, usd, 1 FROM unnest($1::text[], $2::int[], $3::int[], $4::float8[]) AS p (coin, level, bucket, usd)
     JOIN market_coins ON id = coin`,
    [
      points.map(({ coin }) => coin),
      points.map(({ level }) => level),
      points.map(({ bucket }) => bucket),
      points.map(({ usd }) => usd),
    ],
  )
  await pool.query(
    `INSERT INTO pairs (coin_a_id, coin_b_id) SELECT a, b FROM unnest($1::text[]) a, unnest($1) b WHERE a <> b`,
    [TAPE_COINS],
  )
  // An owner each: the same pair comes again and again.
  const { rows } = await pool.query<{ id: string; owner_id: string }>(
    `WITH given AS (
       SELECT * FROM json_to_recordset($1) AS g (coin_a_id text, coin_b_id text, high_threshold float8, low_threshold float8,
         alert_margin float8, alert_hold_minutes int, extremes bool, hash text, n int)
     ), made AS (
       INSERT INTO owners (kind, anonymous_hash, created_at) SELECT 'guest', hash, $2 FROM given RETURNING id, anonymous_hash
     ), settings AS (
       INSERT INTO alert_settings (owner_id, extremes) SELECT id, true FROM made JOIN given ON hash = anonymous_hash WHERE extremes
     ), put AS (
       INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, high_threshold, low_threshold, alert_margin,
         alert_hold_minutes, notifications_enabled, is_active, created_at)
       SELECT made.id, 0, coin_a_id, coin_b_id, p.id, high_threshold, low_threshold, alert_margin, alert_hold_minutes, true, true, $2
       FROM given JOIN made ON anonymous_hash = hash JOIN pairs p USING (coin_a_id, coin_b_id)
       RETURNING id, owner_id
     )
     SELECT put.id, put.owner_id FROM put JOIN made ON made.id = put.owner_id JOIN given ON hash = anonymous_hash ORDER BY n`,
    [JSON.stringify(widgets.map((widget, n) => ({ ...widget, n, hash: ownerHash(n) }))), new Date(TAPE_START)],
  )
  return { widgets: rows.map(({ id }) => id), owners: rows.map(({ owner_id }) => owner_id) }
}

interface EventRow {
  readonly widget_id: string
  readonly side: 'high' | 'low'
  readonly kind: string
  readonly epoch: number
  readonly ratio: number
  readonly threshold: number
  readonly measure: number | null
  readonly rule_id: string | null
  readonly loudness: string | null
  readonly crossed_at: Date
  readonly back_at: Date | null
}

interface StateRow {
  readonly id: string
  /** Of the two thresholds. */
  readonly flags: string
  readonly op: string | null
  readonly armed: boolean | null
  readonly ended: boolean | null
  readonly epoch: number | null
  readonly due_at: Date | null
  readonly anchor: number | null
}

async function recorded(pool: Pool, ids: readonly string[], rules: ReadonlyMap<string, string>) {
  const place = new Map(ids.map((id, index) => [id, index]))
  const opOf = new Map(Array.from(rules, ([op, rule]) => [rule, op]))
  const { rows: events } = await pool.query<EventRow>('SELECT * FROM alert_events')
  const { rows: states } = await pool.query<StateRow>(
    `SELECT w.id, concat_ws(' ', high_threshold_active::text, high_epoch, low_threshold_active::text, low_epoch) AS flags,
       r.created_by_op AS op, r.armed, r.ended, r.epoch, r.due_at, r.anchor
     FROM widgets w LEFT JOIN alert_rules r ON r.widget_id = w.id AND r.measure IS NOT NULL`,
  )
  const kinds: Record<string, number> = {}
  for (const { kind } of events) kinds[kind] = (kinds[kind] ?? 0) + 1
  const what = ({ kind, side, epoch, ratio, threshold, measure, rule_id, loudness }: EventRow) => {
    const op = rule_id === null ? '' : (opOf.get(rule_id) ?? rule_id)
    if (kind === 'rule_expired') return [kind, epoch, ratio, op, loudness]
    return rule_id === null ? [kind, side, epoch, ratio, threshold] : [kind, side, epoch, ratio, op, measure, loudness]
  }
  return {
    kinds,
    events: events
      .map((event) =>
        [
          event.crossed_at.getTime(),
          place.get(event.widget_id),
          ...what(event),
          event.back_at?.getTime() ?? 'not back',
        ].join(' '),
      )
      .toSorted(),
    states: states
      .toSorted((one, other) => place.get(one.id)! - place.get(other.id)!)
      .map(({ flags, op, armed, ended, epoch, due_at, anchor }) =>
        [flags, op, armed, ended, epoch, due_at?.getTime(), anchor].map((one) => one ?? '').join(' '),
      ),
  }
}
