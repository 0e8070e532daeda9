import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicAddress, pushHosts } from '../../server/adapters/push/push-hosts'
import { type PushSender, pushSender } from '../../server/adapters/push/push-sender'
import { type PushService, startPushService } from '../support/push-service'
import { BROWSER_KEYS, subscription } from './support/subscription'
import { testApp } from './support/test-app'
import { TEST_VAPID } from './support/test-vapid'

const GOOD = 'fcm.googleapis.com'

/** Hosts of this machine, of private networks, of clouds' insides, and of nobody, in every spelling. */
// oxfmt-ignore
const INSIDE = [
  'localhost', 'localhost.', 'localhost.localdomain', 'app.localhost', 'ip6-localhost', 'metadata', 'metadata.google.internal', 'kubernetes.default.svc', 'db', 'redis.internal', 'router.lan', 'printer.local', 'host.docker.internal',
  '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '0.0.0.0', '0', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001', '0x7F.1', '127.0.0.1:443', '127.0.0.1:80', '127.0.0.1:8080', '127.0.0.1:22',
  '10.0.0.1', '10.255.255.255', '167772161', '012.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.1.1:8443', '3232235521', '0xc0a80001', '100.64.0.1', '169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '198.18.0.1', '192.0.2.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255',
  '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[fec0::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]', '[::ffff:0:127.0.0.1]', '[2001::1]',
  '8.8.8.8', '1.1.1.1', '[2606:4700::1111]', 'example.com', 'push.example', '①②⑦.⓪.⓪.①', '１２７.０.０.１', 'ⓛocalhost', '127。0。0。1', '127%2e0%2e0%2e1', '%6c%6f%63%61%6c%68%6f%73%74',
]

/** Hosts that look like push services. */
// oxfmt-ignore
const LOOK_ALIKES = [
  'fcm.googleapis.com.evil.example', 'fcm.googleapis.com.', 'fcm-googleapis.com', 'fcmgoogleapis.com', 'evil.fcm.googleapis.com', 'xfcm.googleapis.com', 'googleapis.com', 'storage.googleapis.com', 'fcm.googleapis.co', 'fcm.googleapis.com.co', 'fcm.googIeapis.com', 'fcm.goog1eapis.com', 'fcm.gооgleapis.com', 'fcm.googleapis.com:8443', 'fcm.googleapis.com:80', 'fcm.googleapis.com:22', 'fcm..googleapis.com', 'fcm.googleapis.com%00.evil.example', 'fcm.googleapis.com%2eevil.example', 'fcm.googleapis.com%2f.evil.example', 'fcm.googleapis.com\u0000.evil.example', 'fcm.googleapis.com。evil.example', 'ｆcm.googleapis.com.evil.example',
  'updates.push.services.mozilla.com.evil.example', 'updates-push.services.mozilla.com', 'push.services.mozilla.com', 'xpush.services.mozilla.com', 'services.mozilla.com', 'mozilla.com', 'updates.push.services.mozilla.com.', 'updates.push.services.mozilla.com:444', 'updates.push.services.mozi11a.com', 'updates.push.services.mozilla.org', 'evilpush.services.mozilla.com',
  'notify.windows.com', 'xnotify.windows.com', 'wns.notify.windows.com.evil.example', 'wnsnotify.windows.com', 'wns.notify.windows.com.', 'wns.notify.windows.net', 'windows.com', 'notify.windows.com.evil.example',
  'push.apple.com', 'web.push.apple.com.evil.example', 'xpush.apple.com', 'webpush.apple.com', 'web.push.apple.com.', 'apple.com', 'web.push.apple.co', 'web.push.apple.com:8080', 'web-push-apple-com.evil.example',
]

/** Spellings before or around the host that some parsers take for something else. */
// oxfmt-ignore
const DRESSED = [
  `https://user@${GOOD}/x`, `https://user:secret@${GOOD}/x`, `https://:secret@${GOOD}/x`, `https://${GOOD}@127.0.0.1/x`, `https://${GOOD}:443@127.0.0.1/x`, `https://${GOOD}%40127.0.0.1/x`, `https://127.0.0.1#@${GOOD}/x`, `https://127.0.0.1?@${GOOD}/x`, `https://127.0.0.1/@${GOOD}/x`, `https://127.0.0.1\\@${GOOD}/x`, `https://${GOOD}\\@127.0.0.1/x`, `https://127.0.0.1;${GOOD}/x`, `https://127.0.0.1,${GOOD}/x`, `https://127.0.0.1 ${GOOD}/x`, `https://${GOOD} .evil.example/x`, `https://${GOOD}/x#fragment`,
  `http://${GOOD}/x`, `http://${GOOD}:443/x`, `ftp://${GOOD}/x`, `ws://${GOOD}/x`, `wss://${GOOD}/x`, `file://${GOOD}/etc/passwd`, 'file:///etc/passwd', 'data:text/plain,x', 'javascript:alert(1)', `gopher://${GOOD}:70/_x`, `unix:/var/run/docker.sock`, `http+unix://%2Fvar%2Frun%2Fdocker.sock/x`, `//${GOOD}/x`, `${GOOD}/x`, 'about:blank', 'blob:https://fcm.googleapis.com/x',
  `https:\\\\127.0.0.1\\x`, `https:127.0.0.1/x`, `https:/127.0.0.1/x`, `https:///127.0.0.1/x`, ` https://${GOOD}/x`, `https://${GOOD}/x\n`, `https://${GOOD}/x\r\nHost: evil.example`, `ht\ntps://${GOOD}/x`, `https://127.0.0.1\t.${GOOD}/x`, `https://\u202e${GOOD}/x`, `https://${GOOD}/é`, `https://${GOOD}/\u0000`, `https://[${GOOD}]/x`, `https://${GOOD}:65536/x`, `https://${GOOD}:-1/x`, `https://${GOOD}:0/x`, `https://${GOOD}:443:80/x`, 'https://', 'https:///', 'https://.', 'https://..', `https://.${GOOD}/x`, 'https://.push.apple.com/x', 'https://a..push.apple.com/x', '', 'x', '/', '?', '#', 'https', 'null', 'undefined', '[object Object]',
]

/** Endpoints that a server must not send anything to. */
const HOSTILE_ENDPOINTS: readonly string[] = [
  ...INSIDE.flatMap((host) => [`https://${host}/fcm/send/x`, `http://${host}/`, `https://${host}?${GOOD}`]),
  ...LOOK_ALIKES.map((host) => `https://${host}/fcm/send/x`),
  ...DRESSED,
]

/** Addresses that the names of push services must not lead to, though a resolver may answer them: one that was poisoned, rebound, or our own. */
// oxfmt-ignore
const HOSTILE_ADDRESSES: readonly string[] = [
  '127.0.0.1', '127.8.8.8', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.255.255', '100.64.0.1', '100.127.255.255', '169.254.0.1', '169.254.169.254', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255',
  '::1', '::', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8', '::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', '2001:db8::1', '2001:10::1', '2001:20::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'ff0e::1', '100::1', '3fff::1', '5f00::1', '1::1', '4000::1', '8000::1',
  '', 'localhost', '127.1', '2130706433', '0x7f.1',
]

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
