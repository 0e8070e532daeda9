import { describe, expect, it } from 'vitest'
import {
  type FeedEvent,
  type FeedState,
  initialFeed,
  reduceFeed,
} from '../../server/adapters/market-stream/ticker-state'

const MARKETS = new Map(Array.from({ length: 60 }, (_, i) => [`C${i}/USD`, `C${i}-USD`]))
const coins = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `C${from + i}/USD`)
const after = (...events: readonly FeedEvent[]): FeedState => events.reduce(reduceFeed, initialFeed)
const markets: FeedEvent = { kind: 'markets', markets: MARKETS, now: 0 }
const wanted = (symbols: readonly string[], now = 0): FeedEvent => ({ kind: 'wanted', symbols, now })
const connected: FeedEvent = { kind: 'connected', now: 0 }
const lost = (reason: string, connection = 1): FeedEvent => ({ kind: 'lost', connection, reason })

describe('connection to the tickers of an exchange', () => {
  it('watches the wanted markets that the exchange has, and those that are wanted later beside them', () => {
    const state = after(markets, wanted(['C1/USD', 'GONE/USD']), connected, wanted(['C1/USD', 'C2/USD']))
    expect(state).toMatchObject({ kind: 'following', watched: new Set(['C1/USD', 'C2/USD']) })
  })

  it('bears 20 watched markets that are no longer wanted, and begins anew at once with the 21st', () => {
    const begun = [markets, wanted(coins(0, 30)), connected]
    expect(after(...begun, wanted(coins(20, 30)))).toMatchObject({ kind: 'following' })
    expect(after(...begun, wanted(coins(21, 30)))).toMatchObject({ kind: 'apart', reason: null, failures: 0 })
  })

  it('ends a connection that has brought no price for more than a minute, counted from its first subscription', () => {
    const quiet = [markets, connected, wanted(coins(0, 1), 50_000)]
    expect(after(...quiet, { kind: 'gathered', ticks: 0, now: 110_000 })).toMatchObject({ kind: 'following' })
    expect(after(...quiet, { kind: 'gathered', ticks: 0, now: 110_001 })).toMatchObject({ kind: 'apart', failures: 1 })
    expect(after(markets, connected, { kind: 'gathered', ticks: 0, now: 110_001 })).toMatchObject({ kind: 'following' })
  })

  it('counts failures in a row, and begins to count anew after a connection that has brought a price', () => {
    const unreachable: FeedEvent = { kind: 'unreachable', reason: 'no network' }
    const begun = [unreachable, unreachable, markets, wanted(coins(0, 1)), connected]
    expect(after(...begun, lost('cut'))).toMatchObject({ kind: 'apart', reason: 'cut', failures: 3 })
    expect(after(...begun, { kind: 'gathered', ticks: 1, now: 1 }, lost('cut'))).toMatchObject({ failures: 1 })
  })

  it('leaves out a market that the exchange refuses by its id, until the list of markets is fetched again', () => {
    const refused = after(markets, wanted(coins(0, 2)), connected, lost('"C0-USD" is not valid'))
    expect(refused).toMatchObject({ refused: new Set(['C0/USD']), failures: 1 })
    expect(reduceFeed(refused, connected)).toMatchObject({ watched: new Set(['C1/USD']) })
    expect([markets, connected].reduce(reduceFeed, refused)).toMatchObject({ watched: new Set(coins(0, 2)) })
  })

  it('ignores the failure of an earlier connection', () => {
    const second = [markets, wanted(coins(0, 1)), connected, lost('cut'), connected]
    expect(after(...second, lost('cut late', 1))).toEqual(after(...second))
  })
})
