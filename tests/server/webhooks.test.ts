/** @module-tag both-engines */
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import type { Change } from '../../server/db/changes'
import { alert_channels } from '../../server/db/schema/channels'
import { mail_requests } from '../../server/db/schema/mail'
import type { AlertsAnswer } from '../../src/contract/alerts'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { SinkReply, SunkRequest } from '../support/webhook-sink'
import {
  addChannel,
  type AnsweredChannel,
  channelRow,
  channelsOf,
  crossing,
  deliver,
  me,
  outcomes,
  pairOf,
  server,
  setChannelScene,
  sink,
  webhook,
  widget,
} from './support/channel-scene'
import { key, verdict } from './support/person'

setChannelScene()
afterEach(() => vi.useRealTimers())

/** The body, once the receiver has verified its signature; throws where there is none of this secret. */
function verified(request: SunkRequest | undefined, secret: string | undefined): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock() })
  const seconds = Number(request?.headers['webhook-timestamp'])
  expect(Math.abs(seconds * 1000 - server.clock())).toBeLessThanOrEqual(1000)
  const read = new Webhook(secret ?? '').verify(request?.body ?? '', request?.headers as Record<string, string>)
  vi.useRealTimers()
  return read
}
const ids = () => sink.requests.map(({ headers }) => headers['webhook-id'])

test('a crossing is posted once, signed as Standard Webhooks say, under its event’s id, and the log of alerts says that it was sent', async () => {
  const { secret, ...made } = await webhook()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await channelsOf()).toEqual([made])
  const { crossed_at } = await crossing({ epoch: 3 })
  await deliver()
  await deliver()
  expect(sink.requests).toHaveLength(1)
  expect(sink.requests[0]).toMatchObject({ path: '/hook', headers: { 'webhook-id': `${widget}:high:3` } })
  const data = {
    event_id: `${widget}:high:3`,
    pair: 'BTC / ETH',
    coin_a_id: 'bitcoin',
    coin_b_id: 'ethereum',
    kind: 'above',
    level: 21,
    measure: 21.5,
    ratio: 21.5,
    crossed_at: crossed_at.toISOString(),
    note: null,
    url: `${server.env.PUBLIC_URL}/chart/${widget}`,
  }
  expect(verified(sink.requests[0], secret)).toEqual({ type: 'alert.crossed', timestamp: data.crossed_at, data })
  const at = new Date(server.clock()).toISOString()
  expect(await channelsOf()).toMatchObject([{ state: 'on', last_success_at: at, last_failure: null }])
  const { alerts } = (await me.ask<AlertsAnswer>('GET', '/alerts')).body
  expect(alerts[0]?.deliveries).toEqual([{ channel: 'webhook', name: sink.host, state: 'sent', at }])
})

test('what waits for one address is one digest, and a try that failed is repeated as it was, under the same id, before anything new', async () => {
  const { secret } = await webhook()
  sink.reply({ status: 500 })
  for (const epoch of [1, 2]) await crossing({ epoch })
  await deliver()
  await crossing({ epoch: 3 })
  await crossing({ side: 'low', ratio: 1, threshold: 2 })
  sink.reply({ status: 204 })
  server.clock.advance(5_000)
  await deliver()
  const epochsOf = (request: SunkRequest | undefined) =>
    (JSON.parse(request?.body ?? '') as { data: { alerts: { event_id: string }[] } }).data.alerts.map(({ event_id }) =>
      event_id.slice(widget.length + 1),
    )
  expect(sink.requests.map(epochsOf)).toEqual([
    ['high:1', 'high:2'],
    ['high:1', 'high:2'],
    ['low:0', 'high:3'],
  ])
  const [first, again, next] = ids()
  expect([again === first, next === first]).toEqual([true, false])
  for (const request of sink.requests.slice(1))
    expect(verified(request, secret)).toMatchObject({ type: 'alert.digest' })
  expect(await outcomes()).toEqual(['sent', 'sent', 'sent', 'sent'])
})

test.each<[string, SinkReply]>([
  ['answers 500', { status: 500 }],
  ['answers 404', { status: 404 }],
  ['answers with a redirect, which is not followed', { status: 307, headers: { location: '/elsewhere' } }],
  ['hangs up', 'hang-up'],
])(
  'a webhook is tried after 5 s, 30 s, 2 min, 10 min, and hourly for a day, while its receiver %s',
  async (_what, reply) => {
    await webhook()
    sink.reply(reply)
    await crossing()
    await deliver()
    const pauses: number[] = []
    for (;;) {
      const { free_at } = await channelRow()
      if (!(await outcomes()).includes('waiting')) break
      const pause = free_at.getTime() - server.clock()
      pauses.push(pause)
      server.clock.advance(pause - 1)
      await deliver()
      expect(sink.requests).toHaveLength(pauses.length)
      server.clock.advance(1)
      await deliver()
    }
    expect(pauses).toEqual([5_000, 30_000, 2 * MINUTE, 10 * MINUTE, ...Array.from({ length: 25 }, () => HOUR)])
    expect(sink.requests.every(({ path }) => path === '/hook')).toBe(true)
    expect(new Set(ids()).size).toBe(1)
    expect(await outcomes()).toEqual(['too-late'])
    expect(await channelsOf()).toMatchObject([
      { state: 'failing', last_failure: { reason: expect.any(String) as string } },
    ])
  },
)

test('a receiver’s Retry-After decides when it is asked again, for at most an hour', async () => {
  await webhook()
  const pauseAfter = async (seconds: string) => {
    sink.reply({ status: 429, headers: { 'retry-after': seconds } })
    await crossing({ epoch: Number(seconds) })
    await deliver()
    const pause = (await channelRow()).free_at.getTime() - server.clock()
    sink.reply({ status: 204 })
    server.clock.advance(pause)
    await deliver()
    return pause
  }
  expect([await pauseAfter('2'), await pauseAfter('1800'), await pauseAfter('86400')]).toEqual([2_000, HOUR / 2, HOUR])
})

test('a 410 ends a webhook at once, with all that waits for it, and mails its owner; other channels go on, and say so, as do open pages', async () => {
  const account = await server.user()
  const theirs = await pairOf(account)
  const add = (path: string) => addChannel({ kind: 'webhook', url: `${sink.origin}${path}`, preset: 'json' }, account)
  const gone = await add('/gone')
  sink.reply({ status: 410 })
  await crossing({}, theirs)
  const published: Change[] = []
  const stop = server.database.changes.subscribe((changes) => published.push(...changes))
  await deliver()
  stop()
  const { body } = await account.ask<AlertsAnswer>('GET', '/alerts?kinds=way_off')
  const noted = body.alerts.find(({ kind }) => kind === 'way_off')!
  expect(published).toEqual([{ kind: 'alert', owner: account.id, eventId: noted.event_id }])
  await add('/other')
  sink.reply({ status: 204 })
  await crossing({ epoch: 1 }, theirs)
  await deliver()
  expect(sink.requests.map(({ path }) => path)).toEqual(['/gone', '/other'])
  const told = JSON.parse(sink.requests[1]!.body) as { data: { alerts: { kind: string; note: string | null }[] } }
  expect(told.data.alerts.map(({ kind, note }) => [kind, note])).toEqual([
    ['above', null],
    ['way_off', `the webhook at ${sink.host}`],
  ])
  const [ended] = (await channelsOf(account)).filter(({ id }) => id === gone.id)
  expect(ended).toMatchObject({ state: 'ended', last_failure: { reason: 'answered 410' } })
  expect(await server.rows(mail_requests)).toMatchObject([
    { kind: 'way-off', email: expect.stringContaining('@') as string, device_label: `the webhook at ${sink.host}` },
  ])
})

test('a webhook that fails for five days is switched off with a mail; one success in between begins the days anew', async () => {
  const account = await server.user()
  const theirs = await pairOf(account)
  const { id } = await addChannel({ kind: 'webhook', url: `${sink.origin}/x`, preset: 'json' }, account)
  const day = async (epoch: number, status: number) => {
    sink.reply({ status })
    await crossing({ epoch }, theirs)
    await deliver()
    server.clock.advance(DAY + 2 * HOUR)
    sink.reply({ status: 500 })
    await deliver()
  }
  for (const [epoch, status] of [500, 500, 500, 204, 500, 500, 500, 500].entries()) await day(epoch, status)
  expect(await channelsOf(account)).toMatchObject([{ state: 'failing' }])
  await day(8, 500)
  await day(9, 500)
  expect(await channelsOf(account)).toMatchObject([{ state: 'off', failing_since: expect.any(String) as string }])
  expect((await server.rows(mail_requests)).map(({ kind }) => kind)).toEqual(['way-off'])
  expect(await outcomes()).toContain('channel-off')
  const on = await account.ask<AnsweredChannel>('PUT', `/alerts/channels/${id}`, { state: 'on' }, key(undefined))
  expect(on.body).toMatchObject({ state: 'on', failing_since: null })
})

test('a rotated secret signs beside the one before for 24 hours, also when it is rotated again meanwhile', async () => {
  const { id, secret: first } = await webhook()
  const rotate = async () => (await me.ask<AnsweredChannel>('POST', `/alerts/channels/${id}/rotate`)).body.secret
  await rotate()
  const last = await rotate()
  await crossing()
  await deliver()
  expect([first, last].map((secret) => verified(sink.requests[0], secret))).toMatchObject([{}, {}])
  server.clock.advance(DAY)
  await crossing({ epoch: 1 })
  await deliver()
  verified(sink.requests[1], last)
  expect(() => verified(sink.requests[1], first)).toThrow('No matching signature')
})

test('ntfy, Discord and Slack get a crossing in their own shapes, and ntfy’s topic is no part of the address', async () => {
  for (const [preset, path] of [
    ['ntfy', '/base/my-topic'],
    ['discord', '/api/webhooks/1/x'],
    ['slack', '/services/T/B/x'],
  ] as const)
    await webhook(preset, path)
  await crossing()
  await deliver()
  const sentence = 'Sell alert: BTC / ETH. Ratio 21.5000 is above 21.0000.'
  const chart = `${server.env.PUBLIC_URL}/chart/${widget}`
  const read = Object.fromEntries(sink.requests.map(({ path, body }) => [path, JSON.parse(body) as unknown]))
  expect(read).toEqual({
    '/base/': {
      topic: 'my-topic',
      title: 'BTC / ETH',
      message: sentence,
      priority: 4,
      click: chart,
      actions: [
        { action: 'view', label: 'Open chart', url: chart },
        { action: 'view', label: 'All alerts', url: `${server.env.PUBLIC_URL}/alerts` },
        { action: 'view', label: 'Settings', url: `${server.env.PUBLIC_URL}/settings` },
      ],
    },
    '/api/webhooks/1/x': { content: `${sentence}\n${chart}`, allowed_mentions: { parse: [] } },
    '/services/T/B/x': { text: `${sentence}\n${chart}` },
  })
})

test('a message about a pair that is not judged names the coin of the older price, and one about a way neither pair nor chart', async () => {
  await webhook('ntfy', '/my-topic')
  await crossing({ kind: 'unjudged', side: 'high', measure: 70 })
  await deliver()
  server.clock.advance(6 * MINUTE)
  await crossing({ kind: 'way_off', epoch: 1, note: 'the chat of Ada' })
  await deliver()
  const read = sink.requests.map(({ body }) => JSON.parse(body) as { title: string; message: string; click: string })
  const { origin } = new URL(server.env.PUBLIC_URL)
  expect(read).toMatchObject([
    { title: 'BTC / ETH', message: 'BTC / ETH is not judged: the price of BTC is 70\u00A0min old.' },
    {
      title: 'Alerts do not arrive everywhere',
      message: 'Alerts no longer reach the chat of Ada.',
      click: `${origin}/settings`,
      actions: [{ label: 'All alerts' }, { label: 'Settings' }],
    },
  ])
})

test.each([
  ['http', 'http://ratio.example/x'],
  ['loopback', 'https://127.0.0.1/x'],
  ['a network of one’s own', 'https://10.0.0.7/x'],
  ['link-local, as of cloud metadata', 'https://169.254.169.254/latest'],
  ['loopback in IPv6', 'https://[::1]/x'],
  ['a name of this machine', 'https://localhost/x'],
  ['another port of a named host', 'http://127.0.0.1:1/x'],
  ['a password in it', 'https://a:b@ratio.example/x'],
])('a webhook with %s is refused with WEBHOOK_ADDRESS_REFUSED', async (_what, url) => {
  const body = { kind: 'webhook', url, preset: 'json' }
  const refused = await me.ask<AnsweredChannel>('POST', '/alerts/channels', body, key(undefined))
  expect(verdict(refused)).toEqual([422, 'WEBHOOK_ADDRESS_REFUSED'])
  expect(await channelsOf()).toEqual([])
})

test('a webhook whose name has come to mean an internal address is not connected to', async () => {
  await webhook()
  // As if the name had been public when it was added.
  await server.database.orm.update(alert_channels).set({ url: `https://localhost:${new URL(sink.origin).port}/hook` })
  await crossing()
  await deliver()
  expect(sink.requests).toEqual([])
  expect(await channelsOf()).toMatchObject([{ state: 'failing', last_failure: { reason: 'NOT_PUBLIC' } }])
})

test('a test is sent at once, its answer says what came of it, and a test that fails switches nothing off', async () => {
  const { id, secret } = await webhook()
  const trial = async () => (await me.ask<AnsweredChannel>('POST', `/alerts/channels/${id}/test`)).body
  expect(await trial()).toMatchObject({ state: 'on', last_success_at: new Date(server.clock()).toISOString() })
  expect(verified(sink.requests[0], secret)).toMatchObject({ type: 'alert.test' })
  sink.reply({ status: 410 })
  expect(await trial()).toMatchObject({ state: 'on', last_failure: { reason: 'answered 410' } })
})

test('an owner’s channel is unknown to others, is made once for each Idempotency-Key, and gets nothing once it is off or removed', async () => {
  const body = { kind: 'webhook', url: `${sink.origin}/hook`, preset: 'json' }
  const op = key(undefined)
  const [made, again] = [
    await me.ask<AnsweredChannel>('POST', '/alerts/channels', body, op),
    await me.ask<AnsweredChannel>('POST', '/alerts/channels', body, op),
  ]
  const { secret, ...known } = made.body
  expect([secret?.length, again.status, again.body]).toEqual([50, 201, known])
  const path = `/alerts/channels/${known.id}`
  const stranger = server.guest()
  for (const [method, at] of [
    ['PUT', path],
    ['DELETE', path],
    ['POST', `${path}/test`],
    ['POST', `${path}/rotate`],
  ] as const) {
    const asked = await stranger.ask<AnsweredChannel>(
      method,
      at,
      method === 'PUT' ? { state: 'off' } : undefined,
      key(undefined),
    )
    expect(verdict(asked)).toEqual([404, 'NOT_FOUND'])
  }
  sink.reply({ status: 500 })
  await crossing()
  await deliver()
  await me.ask('PUT', path, { state: 'off' }, key(undefined))
  await crossing({ epoch: 1 })
  server.clock.advance(HOUR)
  await deliver()
  expect([sink.requests.length, await outcomes()]).toEqual([1, ['channel-off']])
  expect((await me.ask('DELETE', path, undefined, key(undefined))).status).toBe(204)
  expect([await channelsOf(), await outcomes()]).toEqual([[], []])
})

test('an eleventh way is refused', async () => {
  for (let i = 0; i < 10; i++) await webhook()
  const body = { kind: 'webhook', url: `${sink.origin}/hook`, preset: 'json' }
  expect(verdict(await me.ask<AnsweredChannel>('POST', '/alerts/channels', body, key(undefined)))).toEqual([
    409,
    'CHANNEL_LIMIT_REACHED',
  ])
})

test(
  'a silent receiver is given up after fifteen seconds, and others do not wait',
  { tags: ['full'], timeout: 60_000 },
  async () => {
    await webhook()
    sink.reply('nothing')
    await crossing()
    const begun = Date.now()
    await deliver()
    expect(Date.now() - begun).toBeGreaterThan(14_500)
    expect(await channelsOf()).toMatchObject([{ last_failure: { reason: 'TIMEOUT' } }])
  },
)
