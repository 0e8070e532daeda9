import { expect, test } from 'vitest'
import type { AlertsAnswer } from '../../src/contract/alerts'
import type { ErrorBody } from '../../src/contract/errors'
import type { Rule } from '../../src/contract/rules'
import type { Config } from '../../src/contract/settings'
import { alert_rules } from '../../server/db/schema/widgets'
import { priceStore } from '../../server/services/market/prices/price-store'
import { memoryColumns, memoryOf, type StoredRule, termsOf } from '../../server/services/rules/stored-rule'
import { factsOf, RULE_KIND_NAMES } from '../../src/domain/rule-kinds'
import { listCoins, pricesOf } from './support/alert-prices'
import { withServer } from './support/for-file'
import { key, type Person } from './support/person'
import { user } from './support/user'

const server = withServer()

type Answer = Rule & ErrorBody & { readonly rule: Rule }
const add = (me: Person, widget: string, body: object, op?: string) =>
  me.ask<Answer>('POST', `/widgets/${widget}/rules`, body, key(op))
const change = (me: Person, { id, widget_id }: Rule, body: object, op?: string) =>
  me.ask<Answer>('PUT', `/widgets/${widget_id}/rules/${id}`, body, key(op))
const remove = (me: Person, { id, widget_id }: Rule, op?: string) =>
  me.ask<Answer>('DELETE', `/widgets/${widget_id}/rules/${id}`, undefined, key(op))
const rulesOf = async (me: Person) => (await me.list())[0]!.rules
const MOVE = { kind: 'move_up', level: 5, window: '1h' }

/** An update of prices, as the job makes it. */
async function tick(usd: Readonly<Record<string, number>>): Promise<void> {
  const { pool } = server.database
  await listCoins(pool, Object.keys(usd))
  server.clock.advance(60_000)
  const store = priceStore({ pool, source: 'simulated', clock: server.clock })
  await store(pricesOf(usd, server.clock()), { history: true })
}

test('a rule is made with what its kind proposes, listed with its widget, and made once for each key', async () => {
  const me = server.guest()
  const { id } = await me.add('bitcoin', 'ethereum')
  expect((await me.list())[0]!.rules).toEqual([])
  const op = crypto.randomUUID()
  const made = await add(me, id, MOVE, op)
  expect(made.status).toBe(201)
  const proposed = { margin: 1.25, hold_minutes: 0, repeat: 'each', expires_at: null, loudness: 'buzz', note: null }
  expect(made.body).toMatchObject({ ...MOVE, ...proposed, widget_id: id, armed: true, epoch: 0, created_by_op: op })
  expect((await add(me, id, MOVE, op)).body).toEqual(made.body)
  expect(await rulesOf(me)).toEqual([made.body])
  const { body: config } = await me.ask<Config>('GET', '/config')
  expect(config.alert_features).toContain('rules')
  expect((await remove(me, made.body)).status).toBe(204)
  expect((await remove(me, made.body)).status).toBe(404)
  expect((await change(me, made.body, { note: 'gone' })).status).toBe(404)
  expect(await rulesOf(me)).toEqual([])
})

test('the same rule is refused with the one that is there before the limit is: one on a free board, ten on a premium pair', async () => {
  const me = server.guest()
  const first = await me.add('bitcoin', 'ethereum')
  const second = await me.add('ethereum', 'bitcoin')
  const { body: rule } = await add(me, first.id, MOVE)
  const same = await add(me, first.id, { ...MOVE, margin: 2, note: 'another' })
  expect([same.status, same.body.error_code, same.body.rule]).toEqual([409, 'RULE_EXISTS', rule])
  const more = await add(me, second.id, MOVE)
  expect([more.status, more.body.error_code]).toEqual([403, 'RULE_LIMIT_REACHED'])

  const payer = await user(server, { premium: true })
  const pair = await payer.add('bitcoin', 'ethereum')
  for (let level = 1; level <= 10; level++) expect((await add(payer, pair.id, { ...MOVE, level })).status).toBe(201)
  expect((await add(payer, pair.id, { ...MOVE, level: 11 })).body.error_code).toBe('RULE_LIMIT_REACHED')
  const [one, other] = (await rulesOf(payer))!.toSorted((a, b) => a.level - b.level)
  expect((await change(payer, other!, { level: one!.level })).body.error_code).toBe('RULE_EXISTS')
  const elsewhere = await payer.add('ethereum', 'bitcoin')
  expect((await add(payer, elsewhere.id, MOVE)).status).toBe(201)
  // Of others there is nothing to see.
  expect((await add(me, pair.id, MOVE)).status).toBe(404)
  expect((await change(me, one!, {})).status).toBe(404)
})

test.each([
  ['no window', { kind: 'move', level: 5 }],
  ['a window of days for a move', { kind: 'move', level: 5, window: 90 }],
  ['a window where there is none', { kind: 'trailing_fall', level: 5, window: '1h' }],
  ['a level beyond its kind', { kind: 'z_above', level: 7, window: 90 }],
  ['a margin that never lets it come back', { ...MOVE, margin: 6 }],
  ['a kind that is none', { ...MOVE, kind: 'sneeze' }],
  ['a note that is too long', { ...MOVE, note: 'x'.repeat(201) }],
  ['a hold of more than a day', { ...MOVE, hold_minutes: 1441 }],
])('a rule with %s is refused', async (_, body) => {
  const me = server.guest()
  const { id } = await me.add('bitcoin', 'ethereum')
  expect([(await add(me, id, body)).status, await rulesOf(me)]).toEqual([422, []])
})

test('a change keeps what it does not name, arms a disarmed rule with a new epoch, and one that its owner disarms stays so', async () => {
  const me = await user(server)
  const { id } = await me.add('bitcoin', 'ethereum')
  const { body: rule } = await add(me, id, { kind: 'trailing_fall', level: 10, margin: 1 })
  await tick({ bitcoin: 100, ethereum: 10 })
  expect((await change(me, rule, { note: 'mine', loudness: 'quiet' })).body).toEqual({
    ...rule,
    note: 'mine',
    loudness: 'quiet',
  })
  expect((await change(me, rule, { level: 0.5 })).status).toBe(422)
  expect((await change(me, rule, { armed: false })).body).toMatchObject({ armed: false, epoch: 0 })
  await tick({ bitcoin: 80, ethereum: 10 })
  await tick({ bitcoin: 100, ethereum: 10 })
  expect((await rulesOf(me))![0]).toMatchObject({ armed: false, epoch: 0 })
  const op = crypto.randomUUID()
  expect((await change(me, rule, { armed: true }, op)).body).toMatchObject({ armed: true, epoch: 1 })
  expect((await change(me, rule, { armed: true }, op)).body).toMatchObject({ armed: true, epoch: 1 })
  expect((await change(me, rule, { armed: true })).body).toMatchObject({ armed: true, epoch: 1 })
  // From the ratio at arming, not from any before.
  await tick({ bitcoin: 60, ethereum: 10 })
  await tick({ bitcoin: 55, ethereum: 10 })
  expect((await rulesOf(me))![0]).toMatchObject({ armed: true })
  await tick({ bitcoin: 53, ethereum: 10 })
  expect((await rulesOf(me))![0]).toMatchObject({ armed: false, epoch: 1 })
})

test('the bounds of a pair are written anew by a rule beyond them only, so that processes keep what they have of the others', async () => {
  const bounds: unknown[] = []
  for (const level of [5, 10, 2]) {
    const me = server.guest()
    const { id } = await me.add('solana', 'cardano')
    expect((await add(me, id, { ...MOVE, level })).status).toBe(201)
    const { rows } = await server.database.pool.query(
      `SELECT above, b.xmin::text AS written FROM rule_bounds b JOIN pairs ON id = pair_id WHERE coin_a_id = 'solana'`,
    )
    bounds.push(...rows)
  }
  expect(bounds[1]).toEqual(bounds[0])
  expect(bounds.map((one) => (one as { readonly above: number }).above)).toEqual([5, 5, 2])
})

test('a rule fires into the list of clients that know its kind, with all that it says, and raises the revision', async () => {
  const me = await user(server)
  const { id } = await me.add('bitcoin', 'ethereum')
  await me.save(id, 10)
  const body = { kind: 'since_checkpoint_up', level: 10, note: 'Sell some', loudness: 'quiet', repeat: 'once' }
  const { body: rule } = await add(me, id, body)
  const revision = async () => Number((await me.ask('GET', '/widgets')).headers['x-widgets-revision'])
  const before = await revision()
  await tick({ bitcoin: 112, ethereum: 10 })
  expect(await revision()).toBeGreaterThan(before)
  const listed = async (kinds: string) => (await me.ask<AlertsAnswer>('GET', `/alerts${kinds}`)).body.alerts
  expect(await listed('')).toEqual([])
  const [alert] = await listed(`?kinds=${RULE_KIND_NAMES.join(',')}`)
  expect(alert).toMatchObject({
    event_id: `rule:${rule.id}:0`,
    rule: rule.id,
    kind: 'since_checkpoint_up',
    level: 10,
    ratio: 11.2,
    threshold: 11,
    note: 'Sell some',
    loudness: 'quiet',
    side: 'high',
  })
  expect(alert!.measure).toBeCloseTo(12)
  // Once: it is not armed again by itself.
  await tick({ bitcoin: 100, ethereum: 10 })
  expect((await rulesOf(me))![0]).toMatchObject({ armed: false })
})

test('a rule since the checkpoint follows the default one, and waits without any', async () => {
  const me = await user(server)
  const { id } = await me.add('bitcoin', 'ethereum')
  await add(me, id, { kind: 'since_checkpoint_down', level: 10 })
  const armed = async () => (await rulesOf(me))![0]!.armed
  await tick({ bitcoin: 1, ethereum: 10 })
  expect(await armed()).toBe(true)
  const { body: checkpoint } = await me.save(id, 0.105)
  await tick({ bitcoin: 1, ethereum: 10 })
  expect(await armed()).toBe(true)
  await me.change(id, checkpoint.id, 0.12)
  await tick({ bitcoin: 1, ethereum: 10 })
  expect(await armed()).toBe(false)
  await me.drop(id, checkpoint.id)
  await tick({ bitcoin: 2, ethereum: 10 })
  expect(await armed()).toBe(false)
})

test('rules of an inactive widget are not judged until it is active', async () => {
  const me = await user(server)
  const { id } = await me.add('bitcoin', 'ethereum')
  await add(me, id, { kind: 'trailing_rise', level: 10 })
  const watched = async () =>
    (await server.database.rows(alert_rules)).filter(({ widget_id }) => widget_id === id).map((row) => row.watched)
  const active = (is: boolean) =>
    server.database.pool.query('UPDATE widgets SET is_active = $2 WHERE id = $1', [id, is])
  expect(await watched()).toEqual([true])
  await active(false)
  expect(await watched()).toEqual([false])
  await active(true)
  expect(await watched()).toEqual([true])
})

/** Expects of a widget's rules since the checkpoint what its default checkpoint says, and that the bounds of its pair hold them. */
async function expectKept(widget: string): Promise<void> {
  const { pool } = server.database
  const ofWidget = (await server.database.rows(alert_rules)).filter(({ widget_id }) => widget_id === widget)
  for (const row of ofWidget.filter(({ measure }) => measure !== null) as StoredRule[]) {
    const { rows } = await pool.query<{ ratio: number | null; is_active: boolean; above: number; below: number }>(
      `SELECT c.ratio, w.is_active, coalesce(b.above, 'Infinity') AS above, coalesce(b.below, '-Infinity') AS below FROM widgets w
       JOIN rule_bounds b ON b.pair_id = w.pair_id AND b.measure = $2
       LEFT JOIN checkpoints c ON c.widget_id = w.id AND c.is_default WHERE w.id = $1`,
      [widget, row.measure],
    )
    const { ratio, is_active, ...bounds } = rows[0]!
    const anchor = ratio && factsOf(row.kind).sign * ratio
    expect(row).toMatchObject({ ...memoryColumns(termsOf(row), { ...memoryOf(row), anchor }), watched: is_active })
    expect(bounds.above).toBeLessThanOrEqual(row.above ?? Infinity)
    expect(bounds.below).toBeGreaterThanOrEqual(row.below ?? -Infinity)
  }
}

test('what a process of the version before writes, which knows no rules, keeps them with their checkpoint, widget and bounds', async () => {
  const me = await user(server, { premium: true })
  const { id } = await me.add('bitcoin', 'ethereum')
  const saved = [10, 30].map((ratio) => me.save(id, ratio, undefined, ratio === 10))
  const [first, second] = (await Promise.all(saved)).map(({ body }) => body.id)
  await add(me, id, { kind: 'since_checkpoint_up', level: 10 })
  await add(me, id, { kind: 'since_checkpoint_up', level: 20 })
  await add(me, id, { kind: 'since_checkpoint_down', level: 10 })
  await tick({ bitcoin: 115, ethereum: 10 })
  expect((await rulesOf(me))!.filter(({ armed }) => !armed)).toMatchObject([{ level: 10 }])
  await expectKept(id)
  // As its statements are.
  for (const statement of [
    `UPDATE widgets SET high_threshold = 40, notifications_enabled = true WHERE id = '${id}'`,
    `UPDATE checkpoints SET ratio = 5.7 WHERE id = '${first}'`,
    `UPDATE checkpoints SET ratio = 20.3 WHERE id = '${first}'`,
    `UPDATE checkpoints SET is_default = false WHERE id = '${first}'`,
    `UPDATE checkpoints SET is_default = true WHERE id = '${second}'`,
    `DELETE FROM checkpoints WHERE id = '${second}'`,
    `INSERT INTO checkpoints (widget_id, owner_id, ratio, timestamp, is_default, display_order, created_at)
     SELECT id, owner_id, 3.3, now(), true, 1, now() FROM widgets WHERE id = '${id}'`,
    `UPDATE widgets SET is_active = false WHERE id = '${id}'`,
    // As the next update of prices narrows them.
    `UPDATE rule_bounds SET above = NULL, below = NULL`,
    `UPDATE widgets SET is_active = true WHERE id = '${id}'`,
  ]) {
    await server.database.pool.query(statement)
    if (!statement.includes('rule_bounds')) await expectKept(id)
  }
  const { pool } = server.database
  // No level of it is a number that PostgreSQL has.
  for (const ratio of ['5e-324', '1.7976931348623157e308']) {
    await pool.query(`UPDATE checkpoints SET ratio = ${ratio} WHERE widget_id = '${id}'`)
  }
  // Widgets are removed in any order: a hold on their bounds could wait for one who waits for it.
  const written = async () => (await pool.query('SELECT pair_id, measure, xmin FROM rule_bounds')).rows
  const before = await written()
  await pool.query(`DELETE FROM widgets WHERE id = '${id}'`)
  expect(await written()).toEqual(before)
  expect((await server.database.rows(alert_rules)).filter(({ widget_id }) => widget_id === id)).toEqual([])
})
