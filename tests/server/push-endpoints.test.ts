import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicAddress, pushHosts } from '../../server/adapters/push/push-hosts'
import { type PushSender, pushSender } from '../../server/adapters/push/push-sender'
import { type PushService, startPushService } from '../support/push-service'
import { HOSTILE_ADDRESSES, HOSTILE_ENDPOINTS } from './support/hostile-endpoints'
import { BROWSER_KEYS, subscription } from './support/subscription'
import { testApp } from './support/test-app'
import { TEST_VAPID } from './support/test-vapid'

const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = TEST_VAPID
const vapid = { publicKey, privateKey, subject: 'mailto:help@ratio.example' }

let sockets = 0
const count = () => void sockets++
beforeAll(() => subscribe('net.client.socket', count))
afterAll(() => void unsubscribe('net.client.socket', count))
beforeEach(() => {
  sockets = 0
})

let senders: PushSender[] = []
afterEach(() => {
  for (const sender of senders) sender.close()
  senders = []
})

type ResolveHost = NonNullable<Parameters<typeof pushSender>[0]['resolve']>

function senderWith(named?: readonly string[], resolve?: ResolveHost, clock: () => number = Date.now): PushSender {
  const sender = pushSender({ vapid, hosts: pushHosts(named), clock, ...(resolve && { resolve }) })
  senders.push(sender)
  return sender
}
const message = (endpoint: string) => ({ endpoint, keys: BROWSER_KEYS, payload: '{}', ttl: 60, topic: 'topic' })
const FCM = 'https://fcm.googleapis.com/fcm/send/x'
const resolvesTo =
  (...addresses: readonly string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

test(`${HOSTILE_ENDPOINTS.length} hostile endpoints: the push sender opens no socket to them, and the API refuses to subscribe them`, async () => {
  expect(new Set(HOSTILE_ENDPOINTS).size).toBe(HOSTILE_ENDPOINTS.length)
  expect(HOSTILE_ENDPOINTS.length).toBeGreaterThanOrEqual(300)
  const server = await testApp()
  const me = server.guest()
  const sender = senderWith(undefined, resolvesTo('142.250.1.1'))
  sockets = 0
  for (const endpoint of HOSTILE_ENDPOINTS) {
    expect((await sender.send(message(endpoint))).kind, endpoint).toBe('impossible')
  }
  expect(sockets).toBe(0)
  // Blanks around an address, and tabs and line breaks in it, are taken out before anybody judges it.
  for (const endpoint of HOSTILE_ENDPOINTS.filter((endpoint) => !/[\t\n\r]|^\s|\s$/.test(endpoint))) {
    const { status } = await me.ask('POST', '/push/subscribe', subscription(endpoint))
    expect(status, endpoint).toBe(422)
  }
  await server.close()
}, 60_000)

test(`${HOSTILE_ADDRESSES.length} non-public IP addresses: the push sender opens no socket to a host that resolves to any of them`, async () => {
  for (const hostile of HOSTILE_ADDRESSES) {
    for (const answer of [[hostile], ['142.250.1.1', hostile], [hostile, '2a00:1450::1']]) {
      const said = await senderWith(undefined, resolvesTo(...answer)).send(message(FCM))
      expect(said, answer.join()).toEqual({ kind: 'unanswered', why: 'NOT_PUBLIC' })
    }
    expect(isPublicAddress(hostile), hostile).toBe(false)
  }
  expect(await senderWith(undefined, resolvesTo()).send(message(FCM))).toEqual({
    kind: 'unanswered',
    why: 'NOT_PUBLIC',
  })
  expect(sockets).toBe(0)
})

test('isPublicAddress accepts public IPv4 and IPv6 addresses', () => {
  for (const address of ['142.250.1.1', '1.1.1.1', '17.57.12.11', '2a00:1450:4001::200a', '2600:1901:0:b43a::']) {
    expect(isPublicAddress(address), address).toBe(true)
  }
})

test('a push host is resolved anew for each message, and gets no socket while the resolved addresses are not public', async () => {
  let [asked, now] = [0, Date.UTC(2026, 0, 1)]
  const rebinding: ResolveHost = async (host) => resolvesTo(++asked === 1 ? '192.0.2.77' : '127.0.0.1')(host)
  const sender = senderWith(undefined, rebinding, () => now)
  for (let i = 0; i < 5; i++) {
    expect(await sender.send(message(FCM))).toEqual({ kind: 'unanswered', why: 'NOT_PUBLIC' })
    now += 61_000
  }
  expect([asked, sockets]).toEqual([5, 0])
})

describe('PUSH_ALLOWED_HOSTS', () => {
  let service: PushService
  beforeAll(async () => {
    service = await startPushService()
  })
  afterAll(() => service.stop())

  test('an allowed push host may be this machine over plain http, and two messages to that host share one socket', async () => {
    const { endpoint, answers } = service.channel({ vapidKey: publicKey, onMessage: () => undefined })
    const sender = senderWith([service.host])
    expect(await sender.send(message(endpoint))).toEqual({ kind: 'answered', status: 201, retryAfter: null })
    expect(await sender.send(message(endpoint))).toMatchObject({ status: 201 })
    expect([answers, sockets]).toEqual([[201, 201], 1])
  })

  test('an allowed push host matches with its port or on all ports, not by subdomain, and replaces the known push services', async () => {
    const { endpoint } = service.channel({ vapidKey: null, onMessage: () => undefined })
    for (const named of ['127.0.0.1:1', '127.0.0.2', 'localhost', '127.0.0.1.example']) {
      expect((await senderWith([named]).send(message(endpoint))).kind, named).toBe('impossible')
    }
    expect(sockets).toBe(0)
    expect(await senderWith(['127.0.0.1']).send(message(endpoint))).toMatchObject({ status: 201 })
    const hosts = pushHosts(['push.example', 'push.example:8443', '[::1]:9000'])
    expect(hosts(FCM)).toBeNull()
    for (const good of [
      'https://push.example/x',
      'https://push.example:8443/x',
      'http://push.example/x',
      'http://[::1]:9000/x',
    ])
      expect(hosts(good), good).not.toBeNull()
    for (const bad of ['https://a.push.example/x', 'http://[::1]/x', 'ftp://push.example/x', 'https://u@push.example/'])
      expect(hosts(bad), bad).toBeNull()
  })

  test('the push sender follows no redirect of an allowed push host', async () => {
    const target = service.channel({ vapidKey: null, onMessage: () => undefined })
    const channel = service.channel({ vapidKey: null, onMessage: () => undefined })
    const sender = senderWith([service.host])
    for (const status of [301, 302, 303, 307, 308]) {
      channel.reply({ status, headers: { location: target.endpoint } })
      expect(await sender.send(message(channel.endpoint))).toEqual({ kind: 'answered', status, retryAfter: null })
    }
    expect(target.arrivals).toEqual([])
  })
})

test('the push sender gives up a message with unusable encryption keys without opening a socket', async () => {
  for (const keys of [
    { ...BROWSER_KEYS, p256dh: 'AAAA' },
    { ...BROWSER_KEYS, auth: 'AAAA' },
    { p256dh: '', auth: '' },
    { ...BROWSER_KEYS, p256dh: `B${'A'.repeat(86)}` },
  ]) {
    expect((await senderWith().send({ ...message(FCM), keys })).kind).toBe('impossible')
  }
  expect(sockets).toBe(0)
})

test('the VAPID header is reused for eleven hours per push service, then signed anew, and differs between push services', async () => {
  let now = Date.now()
  const services = await Promise.all([startPushService(), startPushService()])
  const said: string[][] = [[], []]
  const channels = services.map((service, i) =>
    service.channel({
      vapidKey: publicKey,
      onMessage: (_body, headers) => void said[i]?.push(headers.authorization ?? ''),
    }),
  )
  const sender = senderWith(
    services.map(({ host }) => host),
    undefined,
    () => now,
  )
  for (const pause of [0, 60_000, 11 * 3_600_000 - 60_001, 1]) {
    now += pause
    for (const { endpoint } of channels) expect(await sender.send(message(endpoint))).toMatchObject({ status: 201 })
  }
  for (const headers of said) expect([new Set(headers.slice(0, 3)).size, new Set(headers).size]).toEqual([1, 2])
  expect(said[0]?.[0]).not.toBe(said[1]?.[0])
  await Promise.all(services.map((service) => service.stop()))
})
