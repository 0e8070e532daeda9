import { describe, expect, test } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { POLL_INTERVAL } from '../../src/domain/live-prices'
import { acceptedPrices, nextPoll } from '../../src/sync/prices'
import { NOW } from '../db/support/entries'
import { priceRow } from '../support/price-row'

const pricesDueAt = (...given: Parameters<typeof nextPoll>): number | null => nextPoll(...given)?.at ?? null

describe('price rules', () => {
  const [bitcoin, ethereum] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]
  const price = priceRow({ first_seen_at: NOW })
  const poll = { attempted_at: NOW, not_before: 0, asked: [bitcoin] }

  test('prices are due every 75 s, and at once for a coin that never had a price', () => {
    expect(pricesDueAt([], {}, undefined, NOW)).toBeNull()
    expect(pricesDueAt([bitcoin], {}, undefined, NOW)).toBe(NOW)
    expect(pricesDueAt([bitcoin], { [bitcoin]: price }, poll, NOW + 1)).toBe(NOW + POLL_INTERVAL)
    expect(pricesDueAt([bitcoin, ethereum], { [bitcoin]: price }, poll, NOW + 1)).toBe(NOW + 1)
  })

  test('prices of a coin that has none are not asked for again right after a poll', () => {
    expect(pricesDueAt([bitcoin], {}, poll, NOW + 1)).toBe(NOW + POLL_INTERVAL)
  })

  test('prices wait for a Retry-After, unless a wrong clock wrote the time', () => {
    const deferred = { ...poll, not_before: NOW + 200_000 }
    expect(pricesDueAt([bitcoin], {}, deferred, NOW + 100_000)).toBe(NOW + 200_000)
    expect(pricesDueAt([bitcoin], {}, deferred, NOW - DAY)).toBe(NOW - DAY)
  })

  const accepted = (answer: Parameters<typeof acceptedPrices>[0], asked: readonly CoinId[]) =>
    acceptedPrices(answer, asked, null, NOW)

  test('prices are accepted when they are finite numbers of at least 0, and were asked for', () => {
    const answer = { bitcoin: { usd: 5 }, ethereum: { usd: -1 }, other: { usd: 3 } }
    expect([...accepted(answer, [bitcoin, ethereum])]).toEqual([['bitcoin', { usd: 5, providerTime: NOW }]])
    expect(accepted({ bitcoin: { usd: null } }, [bitcoin]).size).toBe(0)
    expect(accepted({ bitcoin: { usd: Infinity } }, [bitcoin]).size).toBe(0)
    expect([...accepted({ bitcoin: { usd: 0 } }, [bitcoin])]).toEqual([['bitcoin', { usd: 0, providerTime: NOW }]])
    expect(accepted({}, ['constructor' as CoinId]).size).toBe(0)
  })

  test('prices are as old as the server says, by the server’s own clock', () => {
    const answer = { bitcoin: { usd: 5, last_updated_at: (NOW - DAY - 90_000) / 1000 } }
    const seen = (answeredAt: number | null) =>
      acceptedPrices(answer, [bitcoin], answeredAt, NOW).get(bitcoin)?.providerTime
    expect(seen(NOW - DAY)).toBe(NOW - 90_000)
    expect(seen(NOW - DAY - 100_000)).toBe(NOW)
    expect(seen(null)).toBe(NOW)
  })
})
