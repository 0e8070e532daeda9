import { expect, test } from 'vitest'
import { ApiError } from '../../server/http/api-error'
import { streamLimits } from '../../server/services/live/stream-limits'

/** The code and Retry-After of a refusal; null where the stream is counted. */
function enter(limits: ReturnType<typeof streamLimits>, owner: string, ip: string) {
  try {
    limits.enter(owner, ip)
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.code, error.retryAfter ?? 0] as const
  }
}

test('of 1,000 streams that come at once 200 are opened in a second, and the rest is told to come back over as many seconds as that takes', () => {
  let now = 10_000
  let seed = 0
  // Evenly over 0 to 1.
  const random = () => (seed = (seed + 0.618034) % 1)
  const limits = streamLimits(1, () => now, random)
  const later: number[] = []
  for (let i = 0; i < 1_000; i++) {
    const refused = enter(limits, `owner ${i}`, `10.${i >> 8}.${i & 255}.1`)
    if (refused !== null) later.push(refused[1])
    expect(refused?.[0] ?? 'STREAM_UNAVAILABLE').toBe('STREAM_UNAVAILABLE')
  }
  expect([limits.open(), later.length]).toEqual([200, 800])
  expect([Math.min(...later), Math.max(...later)]).toEqual([1, 5])
  // They come when they were told, and again if they are refused again; no second opens more than 200.
  let waiting = later.map((seconds) => now + seconds * 1000)
  while (waiting.length > 0) {
    now += 1000
    const before = limits.open()
    const due = waiting.filter((at) => at <= now)
    waiting = waiting.filter((at) => at > now)
    for (const at of due) {
      const refused = enter(
        limits,
        `owner ${at} ${waiting.length} ${limits.open()}`,
        `11.${limits.open() >> 8}.${limits.open() & 255}.1`,
      )
      if (refused !== null) waiting.push(now + refused[1] * 1000)
    }
    expect(limits.open() - before).toBeLessThanOrEqual(200)
  }
  expect(limits.open()).toBe(1_000)
  expect(now).toBeLessThanOrEqual(10_000 + 12_000)
})

test.each([1, 30])(
  '%i networks that open streams at a second’s first moment leave some of that second to another',
  (count) => {
    const limits = streamLimits(1, () => 10_000)
    for (let n = 0; n < 1_000; n++) enter(limits, `owner ${n}`, `192.0.${n % count}.1`)
    expect(enter(limits, 'newcomer', '198.51.100.1')).toBeNull()
  },
)

test('an address has 1,000 streams, a /48 of IPv6 sixteen times as many, an owner twenty; what is left is free again', () => {
  let now = 0
  const limits = streamLimits(0.01, () => (now += 1000))
  for (let i = 0; i < 10; i++) expect(enter(limits, `a${i}`, '192.0.2.1')).toBeNull()
  expect(enter(limits, 'a10', '192.0.2.1')?.[0]).toBe('RATE_LIMITED')
  expect(enter(limits, 'a10', '192.0.2.2')).toBeNull()
  limits.leave('a3', '192.0.2.1')
  expect(enter(limits, 'a11', '192.0.2.1')).toBeNull()

  const many = streamLimits(0.1, () => (now += 1000))
  expect([enter(many, 'me', '192.0.2.1'), enter(many, 'me', '192.0.2.2')]).toEqual([null, null])
  expect(enter(many, 'me', '192.0.2.3')?.[0]).toBe('RATE_LIMITED')

  const network = streamLimits(0.001, () => (now += 1000))
  for (let i = 0; i < 16; i++) expect(enter(network, `o${i}`, `2001:db8:0:${(i * 256).toString(16)}::1`)).toBeNull()
  expect(enter(network, 'o16', '2001:db8:0:ffff::1')?.[0]).toBe('RATE_LIMITED')
})

test.each([
  ['twenty addresses', 20, (n: number) => `192.0.${n}.1`],
  ['300 addresses', 300, (n: number) => `192.${n >> 8}.${n & 255}.1`],
  ['all addresses of a /24', 256, (n: number) => `192.0.2.${n}`],
  ['300 networks of IPv6', 300, (n: number) => `2001:db8:${n.toString(16)}::1`],
])('%s that take all the streams they get leave some to another address', (_, count, address) => {
  let now = 0
  const limits = streamLimits(1, () => (now += 1000))
  for (let taken = -1; taken !== limits.open();) {
    taken = limits.open()
    for (let n = 0; n < count; n++) enter(limits, `owner ${now}`, address(n))
  }
  expect(limits.open()).toBeGreaterThan(2_000)
  for (let n = 0; n < 3; n++) expect(enter(limits, `another ${n}`, '198.51.100.1')).toBeNull()
})

test('a hundred networks that one after the other take all the streams they get leave one to each of many others', () => {
  let now = 0
  const limits = streamLimits(1, () => (now += 1000))
  for (let n = 0; n < 100; n++) while (enter(limits, `owner ${now}`, `192.0.${n}.1`) === null);
  for (let n = 0; n < 1_000; n++) expect(enter(limits, `another ${n}`, `10.${n >> 8}.${n & 255}.1`)).toBeNull()
})
