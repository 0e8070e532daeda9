import { expect, test } from 'vitest'
import { addressKeys } from '../../server/http/addresses'
import { networkCounters } from '../../server/http/network-counters'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['no address', 'unknown'],
  ['', 'unknown'],
  ['203.0.113.999', 'unknown'],
])('the address %j is counted as %s alone', (ip, host) => {
  expect(addressKeys(ip)).toEqual({ host, site: null, org: null })
})

test.each([
  '2001:db8:12:3456:1:2:3:4',
  '2001:0DB8:0012:3456::',
  '[2001:db8:12:3456::9]:443',
  '2001:db8:12:3456::1%eth0',
])('the IPv6 address %s is counted by its networks of 64, 56 and 48 bits', (ip) => {
  expect(addressKeys(ip)).toEqual({
    host: '2001:db8:12:3456::/64',
    site: '2001:db8:12:3400::/56',
    org: '2001:db8:12::/48',
  })
})

/** The counters of a process, and what the `max + 1`st request is told. */
function counters() {
  let now = 0
  const count = networkCounters(60_000, () => now)
  const ask = (address: string, max = 3, kind = 'write') => {
    const answer = count(kind, address, max)
    return { ...answer, refused: answer.current > max }
  }
  return { ask, advance: (milliseconds: number) => (now += milliseconds) }
}

test('requests from a hundred thousand addresses push no counter out: an address at its limit stays refused', () => {
  const { ask, advance } = counters()
  for (let i = 0; i < 3; i++) expect(ask('198.51.100.7').refused).toBe(false)
  expect(ask('198.51.100.7').refused).toBe(true)
  for (let i = 0; i < 100_000; i++) ask(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  expect(ask('198.51.100.7').refused).toBe(true)
  // A newcomer shares a counter, but only until those of the flood have ended.
  advance(60_001)
  expect(ask('203.0.113.1')).toEqual({ current: 1, ttl: 60_000, refused: false })
})

test('reads from more addresses than there are counters leave the logins of a newcomer alone', () => {
  const { ask } = counters()
  for (let i = 0; i < 51_000; i++) ask(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 1000, 'read')
  const newcomers = Array.from({ length: 250 }, (_, i) => ask(`203.0.113.${i}`, 3, 'password').refused)
  expect(newcomers).not.toContain(true)
})

test('requests from ever new /64 networks of one /48 are refused after 16 times the limit, and count for no new network then', () => {
  const { ask } = counters()
  const address = (i: number) => `2001:db8:1:${i.toString(16)}::1`
  // 256 networks of 64 bits in each of 56 bits: one of each of the latter at a time.
  const first = Array.from({ length: 100 }, (_, i) => ask(address(i * 256)).refused)
  expect(first.indexOf(true)).toBe(48)
  expect(first.slice(48)).not.toContain(false)
  expect(ask('2001:db8:2::1').refused).toBe(false)
})

test('an IPv6 address that goes on asking at its limit takes nothing from the other addresses of its /48', () => {
  const { ask } = counters()
  for (let i = 0; i < 1000; i++) ask('2001:db8:1:1::1')
  for (let i = 0; i < 3; i++) expect(ask('2001:db8:1:2::1').refused).toBe(false)
})
