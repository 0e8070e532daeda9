import { beforeEach, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import type { Channel } from '../../src/contract/channels'
import type { ErrorBody } from '../../src/contract/errors'
import type { MyData } from '../../src/contract/my-data'
import { HOUR } from '../../src/domain/granularity'
import { alert_events, push_deliveries, push_subscriptions } from '../../server/db/schema/alerts'
import { channel_deliveries } from '../../server/db/schema/channels'
import { audit_log, owners } from '../../server/db/schema/users'
import { passkeys } from '../../server/db/schema/sessions'
import { rule_bounds } from '../../server/db/schema/widgets'
import { removeUnusedPairs } from '../../server/services/retention'
import { deviceKeys } from '../support/push-device'
import { bearer } from './support/accounts'
import { recordCrossing } from './support/crossings'
import { withServer } from './support/for-file'
import { key, type Person } from './support/person'
import { testApp } from './support/test-app'
import { userOf } from './support/user'

const HOST = 'push.example.com'

const server = withServer({ env: { PUSH_ALLOWED_HOSTS: HOST, WEBHOOK_ALLOWED_HOSTS: HOST } })
beforeEach(() => server.reset())

const download = (who: Person) => who.ask<MyData & ErrorBody>('GET', '/me/data')
const remove = (who: Person) => who.ask<ErrorBody | undefined>('DELETE', '/me/data')

const RULE = { kind: 'move_up', level: 5, window: '1h', note: 'Sell some', loudness: 'quiet' }
const QUIET_HOURS = { from: '22:00', to: '07:00', days: [1, 2, 3, 4, 5, 6, 7], time_zone: 'UTC' }

/** Gives somebody a pair that is snoozed and has a rule, a device and a webhook, an alert with messages, settings, and feedback. */
async function fillAccount(me: Person, path = 'secret-path', message = 'The chart is lovely.') {
  const widget = await me.add('bitcoin', 'ethereum')
  const hook = { kind: 'webhook', url: `https://${HOST}/hook`, preset: 'ntfy', bearer: `bearer-of-${path}` }
  const { body: channel } = await me.ask<Channel>('POST', '/alerts/channels', hook, key(undefined))
  await me.ask('POST', `/widgets/${widget.id}/rules`, RULE, key(undefined))
  await me.update(widget.id, { snoozed_until: new Date(server.clock() + HOUR).toISOString() })
  await me.ask('PUT', '/alerts/settings', { quiet_hours: QUIET_HOURS, extremes: true }, key(undefined))
  const { keys } = deviceKeys()
  const device = { endpoint: `https://${HOST}/${path}`, expirationTime: null, keys }
  await me.ask('POST', '/push/subscribe', device)
  await me.ask('POST', '/feedback', { message })
  const { id: event_id, owner_id } = await recordCrossing(server.database, widget.id, server.clock())
  const at = new Date(server.clock())
  const [subscription] = await server.rows(push_subscriptions, eq(push_subscriptions.endpoint, device.endpoint))
  await server.database.orm.insert(push_deliveries).values({
    owner_id,
    event_id,
    subscription_id: subscription!.id,
    next_attempt_at: at,
    outcome: 'sent',
    ended_at: at,
    attempts: 1,
  })
  const ofChannel = {
    owner_id,
    event_id,
    channel_id: channel.id,
    next_attempt_at: at,
    outcome: 'undeliverable',
    ended_at: at,
  } as const
  await server.database.orm.insert(channel_deliveries).values({ ...ofChannel, attempts: 3 })
  return { widget, keys, secret: channel.secret! }
}

test('a guest’s download holds pairs with rules and snooze, checkpoints, ways, quiet hours, alerts with their messages, devices by host, feedback and the last day', async () => {
  const me = server.guest()
  const { widget } = await fillAccount(me)
  await me.saveCheckpoint(widget.id, 14)
  const at = new Date(server.clock()).toISOString()
  const { status, headers, body } = await download(me)
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  expect(body).toMatchObject({
    made_at: at,
    kind: 'guest',
    since: at,
    last_seen: at.slice(0, 10),
    account: null,
    widgets: await me.list(),
    alerts: [
      {
        widget_id: widget.id,
        coin_a_id: 'bitcoin',
        side: 'high',
        back_at: null,
        messages: [
          { outcome: 'sent', attempts: 1, ended_at: at },
          { outcome: 'undeliverable', attempts: 3, ended_at: at },
        ],
      },
    ],
    alert_settings: { extremes: true, quiet_hours: QUIET_HOURS },
    alert_channels: [{ kind: 'webhook', name: HOST, url: `https://${HOST}/hook`, state: 'on', last_success_at: null }],
    alerts_left_out: 0,
    push_devices: [{ push_service: HOST, subscribed_at: at, expires_at: null, refused_at: null }],
    feedback: [{ message: 'The chart is lovely.', created_at: at }],
    sessions: [],
    subscriptions: [],
    request_keys: 6,
  })
  expect(body.widgets).toMatchObject([
    { checkpoints: [{ ratio: 14 }], rules: [RULE], snoozed_until: expect.any(String) },
  ])
})

test('a user’s download holds the account, consents, sessions, subscriptions, mails and what operators did, without their address', async () => {
  const email = await server.member()
  const { access_token } = await server.session(email)
  const { id } = await server.rowOf(email)
  await server.setUser(id, { accepted_privacy_version: '2026-11-22', accepted_privacy_at: new Date(server.clock()) })
  await server.database.orm.insert(audit_log).values({
    at: new Date(server.clock()),
    actor_email: 'boss@example.com',
    action: 'grant-premium',
    target_id: id,
    target_email: email,
    details: '30 days',
  })
  await server.database.orm.insert(passkeys).values({
    user_id: id,
    credential_id: 'credential-name',
    public_key: 'public-key',
    counter: 0,
    transports: [],
    name: 'Phone',
    created_at: new Date(server.clock()),
  })
  await server.link(email, 'reset-password')
  const response = await server.app.inject({ url: '/api/v1/me/data', headers: bearer(access_token) })
  const body = response.json<MyData>()
  expect(body).toMatchObject({
    kind: 'user',
    last_seen: null,
    account: { id, email, has_password: true, accepted_privacy_version: '2026-11-22', google_account: null },
    sessions: [{ created_at: new Date(server.clock()).toISOString() }],
    audit_entries: [{ action: 'grant-premium', by: 'operator', details: '30 days' }],
    passkeys: [{ name: 'Phone', last_used_at: null }],
    links_open: [{ purpose: 'reset-password' }],
  })
  expect(body.mails_waiting.map(({ kind }) => kind)).toContain('verify-email')
  for (const hidden of ['boss@example.com', 'credential-name', 'public-key'])
    expect(response.body).not.toContain(hidden)
})

test('a download holds no hash, key or secret of the caller, and nothing of another owner', async () => {
  const email = await server.member()
  const tokens = await server.session(email)
  const me = userOf(server, (await server.rowOf(email)).id)
  await server.database.orm.execute(
    sql`INSERT INTO sessions (id, user_id, created_at) VALUES (${me.id}, ${me.id}, now()) ON CONFLICT DO NOTHING`,
  )
  const [mine, other, stranger] = [await fillAccount(me, 'mine'), server.guest(), await server.user()]
  await fillAccount(other, 'other')
  await fillAccount(stranger, 'stranger')
  const text = JSON.stringify((await download(me)).body)
  const row = await server.rowOf(email)
  const rows = await server.rows(owners)
  const hidden = [
    row.password_hash!,
    tokens.refresh_token,
    tokens.access_token,
    mine.keys.p256dh,
    mine.keys.auth,
    '/mine',
    mine.secret,
    'bearer-of-mine',
  ]
  const others = [
    stranger.id,
    ...rows.flatMap(({ id, anonymous_hash }) => (id === me.id ? [] : [id, anonymous_hash ?? id])),
  ]
  for (const secret of [...hidden, ...others]) expect(text).not.toContain(secret)
  const { widgets, alerts, feedback } = (await download(me)).body
  expect([widgets.length, alerts.length, feedback.length]).toEqual([1, 1, 1])
})

test('a download holds the newest 10,000 alerts and says how many it leaves out', async () => {
  const me = server.guest()
  const { widget } = await fillAccount(me)
  await server.database.pool.query(
    `INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio, threshold, crossed_at)
     SELECT owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, 'low', n, ratio, threshold, crossed_at - n * interval '1 minute'
     FROM alert_events, generate_series(1, 10002) AS n WHERE widget_id = $1`,
    [widget.id],
  )
  const { body } = await download(me)
  expect([body.alerts.length, body.alerts_left_out, body.alerts[0]?.side]).toEqual([10_000, 3, 'high'])
  expect(await server.database.orm.$count(alert_events)).toBe(10_003)
})

test('a guest unknown to the server downloads an empty file, and no owner is made', async () => {
  const { status, body } = await download(server.guest())
  expect([status, body.since, body.widgets, body.feedback]).toEqual([200, null, [], []])
  expect(await server.database.orm.$count(owners)).toBe(0)
})

test('one owner may download five times an hour, whatever the address, and another still may', async () => {
  const limited = await testApp({ database: server.database, env: { RATE_LIMIT_FACTOR: '1' } })
  for (const me of [limited.guest(), await limited.user()]) {
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push((await download(me)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    limited.clock.advance(HOUR)
    expect((await download(me)).status).toBe(200)
  }
  await limited.close()
})

test('deleting a guest’s data leaves no row of the guest, nor bounds of the guest’s rules once its pair has gone, answers a repetition alike, and touches nobody else', async () => {
  const [me, other] = [server.guest(), server.guest()]
  await fillAccount(me, 'mine')
  await fillAccount(other, 'other', 'The list is lovely.')
  expect([(await remove(me)).status, (await remove(me)).status]).toEqual([204, 204])
  for (const table of [
    'owners',
    'widgets',
    'operations',
    'alert_events',
    'push_subscriptions',
    'push_deliveries',
    'alert_rules',
    'alert_channels',
    'channel_deliveries',
    'alert_settings',
    'feedback',
    'mail_requests',
  ]) {
    const { rows } = await server.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)
    expect([table, rows[0]?.n]).toEqual([table, table === 'operations' ? 5 : 1])
  }
  expect([await me.list(), (await other.list()).length]).toEqual([[], 1])
  await remove(other)
  await removeUnusedPairs(server.database, new AbortController().signal)
  expect(await server.rows(rule_bounds)).toEqual([])
})

test('a guest’s data is deleted whole or not at all while changes of the same guest arrive', async () => {
  for (let round = 0; round < 6; round++) {
    const me = server.guest()
    await me.add('bitcoin', 'ethereum')
    const [removed, made] = await Promise.all([
      remove(me),
      me.create({ coin_a_id: 'ethereum', coin_b_id: 'solana' }),
      me.list(),
    ])
    expect([removed.status, made.status]).toEqual([204, 201])
    // The change came before and went along, or came after and began anew.
    expect([0, 1]).toContain((await me.list()).length)
    await remove(me)
    expect(await server.database.orm.$count(owners)).toBe(0)
  }
})

test('a user is refused to delete like a guest, as accounts are deleted by a call of their own', async () => {
  const me = await server.user()
  expect([(await remove(me)).status, (await remove(me)).body?.error_code]).toEqual([403, 'FORBIDDEN'])
})
