import { expect, it } from 'vitest'
import { isShort, marketOf, radarFigures, type RadarMarket, rowsOf } from '../../../src/features/radar/radar-market'
import {
  type RadarOrder,
  type RadarQuery,
  readQuery,
  SCOPES,
  writeQuery,
} from '../../../src/features/radar/radar-query'
import { frozenInScope, hiddenPairs, loosenings, radarRows } from '../../../src/features/radar/radar-rows'
import { coinNumber } from '../support/local-app'
import { labelsOf, MONEY, radarAnswer, wave, young } from './radar-market'

const answer = radarAnswer([wave(0), wave(9), wave(-14), wave(3), wave(1), young(40)], 4)
const market = (own: readonly (readonly [number, number])[] = [], of = answer) =>
  marketOf(
    of,
    labelsOf(of),
    own.map(([a, b]) => ({ coinA: coinNumber(a).id, coinB: coinNumber(b).id })),
  )
const DEFAULT = readQuery('?scope=top20', 20)
const query = (change: Partial<RadarQuery> = {}): RadarQuery => ({ ...DEFAULT, ...change })

const names = (of: RadarMarket, rows: Uint32Array): string[] =>
  Array.from(rows, (pair) =>
    rowsOf(of, pair)
      .map((row) => of.labels[row]!.symbol)
      .join('/'),
  )

it('every choice of Radar comes back from the address that it makes', () => {
  for (const scope of SCOPES) {
    const all = query({
      scope,
      window: 30,
      order: 'percentile',
      correlation: 0.7,
      pegged: true,
      term: 'a&b',
      view: 'matrix',
    })
    expect(readQuery(writeQuery(all, 20), 20)).toEqual(all)
  }
})
it('Radar’s address is bare while every choice is the default, for each tier', () => {
  expect(writeQuery(readQuery('', 20), 20)).toBe('')
  expect(readQuery('', 20).scope).toBe('top20')
  expect(readQuery('', 100).scope).toBe('top100')
})
it('an address of Radar with unknown or former choices shows the defaults', () => {
  expect(readQuery('?scope=all&window=7&sort=half-life&correlation=2&reverting=only', 20)).toEqual(readQuery('', 20))
})

it('pairs stand by the distance from their average, whichever side it is on', () => {
  const all = market()
  const rows = radarRows(all, query())
  const distances = Array.from(rows, (pair) => Math.abs(radarFigures(all, pair, 90).z))
  expect(rows.length).toBe(6)
  expect(distances).toEqual(distances.toSorted((one, other) => other - one))
  expect(names(all, rows)[0]).toBe('C3/ETH')
})
it.each<[RadarOrder, (figures: ReturnType<typeof radarFigures>) => number]>([
  ['percentile', ({ percentile }) => -Math.abs(percentile - 0.5)],
  ['correlation', ({ correlation }) => -correlation],
])('pairs stand by %s', (order, key) => {
  const all = market()
  const keys = Array.from(radarRows(all, query({ order })), (pair) => key(radarFigures(all, pair, 90)))
  expect(keys).toEqual(keys.toSorted((one, other) => one - other))
})
it('pairs stand by the names that the user sees, own ones in the user’s orientation', () => {
  const all = market([[0, 3]])
  expect(names(all, radarRows(all, query({ order: 'name' })))).toEqual([
    'BTC/C3',
    'C2/BTC',
    'C2/ETH',
    'C3/C2',
    'C3/ETH',
    'ETH/BTC',
  ])
})
it('a pair with too few days stands at the end in every order', () => {
  const all = market([
    [5, 0],
    [0, 1],
  ])
  for (const order of ['z', 'percentile', 'correlation', 'name'] as const) {
    const rows = radarRows(all, query({ scope: 'coins', order }))
    expect(Array.from(rows, (pair) => isShort(all, pair, 90))).toEqual([false, true, true])
  }
})
it('an own pair is shown as on the dashboard: z, percentile and distance mirrored, correlation the same', () => {
  const [plain, own] = [market(), market([[1, 2]])]
  const pair = plain.pairAt[2 * 6 + 1]!
  const [before, after] = [radarFigures(plain, pair, 90), radarFigures(own, pair, 90)]
  expect(rowsOf(own, pair)).toEqual([1, 2])
  expect(after.z).toBe(-before.z)
  expect(after.percentile).toBe(1 - before.percentile)
  expect(after.ratio).toBe(1 / before.ratio)
  expect(1 + after.distance).toBeCloseTo(1 / (1 + before.distance), 12)
  expect(after.correlation).toBe(before.correlation)
})
it('scopes list the pairs of the dashboard, of its coins, and of the best coins', () => {
  const all = market([
    [4, 0],
    [1, 0],
  ])
  expect(names(all, radarRows(all, query({ scope: 'pairs', order: 'name' })))).toEqual(['C4/BTC', 'ETH/BTC'])
  expect(names(all, radarRows(all, query({ scope: 'coins', order: 'name' })))).toEqual(['C4/BTC', 'C4/ETH', 'ETH/BTC'])
  // Coins 4 and 5 are no better ones, but of the user.
  expect(radarRows(all, query({ scope: 'top100' })).length).toBe(6)
})
it('search finds symbols and names in any order and case', () => {
  const all = market()
  expect(names(all, radarRows(all, query({ term: ' ethereum C3 ' })))).toEqual(['C3/ETH'])
  expect(names(all, radarRows(all, query({ term: 'c3/eth' })))).toEqual(['C3/ETH'])
  expect(radarRows(all, query({ term: 'btc' })).length).toBe(3)
})
it('an empty list names each filter without which there are pairs', () => {
  const all = market()
  const stuck = query({ term: 'nothing like that' })
  expect(radarRows(all, stuck).length).toBe(0)
  expect(loosenings(all, stuck).map(({ filter, count }) => [filter, count])).toEqual([['term', 6]])
})
it('the filter by correlation leaves the pairs that have it', () => {
  const all = market()
  const rows = radarRows(all, query({ correlation: 0.5 }))
  for (const pair of rows) expect(radarFigures(all, pair, 90).correlation).toBeGreaterThanOrEqual(0.5)
  expect(rows.length).toBeLessThan(6)
})

// BTC, ETH, a dollar, wrapped BTC, another dollar.
const money = radarAnswer(MONEY)
it('of ten pairs of five coins that are three monies, Radar lists three, and counts two pegs and five of the same money', () => {
  const all = market([], money)
  const rows = radarRows(all, query({ order: 'name' }))
  expect(names(all, rows)).toEqual(['C2/BTC', 'C2/ETH', 'ETH/BTC'])
  expect(hiddenPairs(all, query())).toEqual({ pegged: 2, 'same money': 5 })
  expect(radarRows(all, query({ pegged: true })).length).toBe(10)
  expect(loosenings(all, query({ term: 'c4 c2' }))).toMatchObject([{ filter: 'term' }, { filter: 'pegged', count: 1 }])
})
it('a pair of the dashboard stays in Radar though it is pegged or another coin of its money is listed', () => {
  const all = market(
    [
      [3, 0],
      [1, 4],
    ],
    money,
  )
  expect(names(all, radarRows(all, query({ order: 'name' })))).toEqual([
    'C2/BTC',
    'C2/ETH',
    'C3/BTC',
    'ETH/BTC',
    'ETH/C4',
  ])
})
it('of the user’s coins the best of each money is listed, though a better one is not the user’s', () => {
  // Of the dashboard are wrapped BTC, the second dollar and ETH.
  const all = market(
    [
      [3, 1],
      [1, 4],
    ],
    money,
  )
  const rows = radarRows(all, query({ scope: 'coins', order: 'name' }))
  expect(names(all, rows)).toEqual(['C3/ETH', 'C4/C3', 'ETH/C4'])
})
it('a peg stands in Radar by its distance in per cent, not by its deviations', () => {
  const all = market([], money)
  const rows = radarRows(all, query({ pegged: true }))
  const figures = Array.from(rows, (pair) => radarFigures(all, pair, 90))
  expect(figures.map(({ isPegged }) => isPegged)).toEqual([...Array<boolean>(8).fill(false), true, true])
  expect(figures.slice(-2).some(({ z }) => Math.abs(z) > 0.5)).toBe(true)
})
it('a peg that is lost is listed', () => {
  const lost = radarAnswer([...MONEY.slice(0, 4), (day) => (day === 364 ? 0.95 : 1)])
  const all = market([], lost)
  expect(names(all, radarRows(all, query()))[0]).toBe('C4/C2')
})
it('Radar leaves out a coin without trading and names it where it would be listed, but not a pair of the dashboard', () => {
  const frozen = radarAnswer(MONEY, 5, new Map([[1, 20_700]]))
  expect(names(market([], frozen), radarRows(market([], frozen), query()))).toEqual(['C2/BTC'])
  const own = market([[1, 0]], frozen)
  expect(names(own, radarRows(own, query({ order: 'name' })))).toEqual(['C2/BTC', 'ETH/BTC'])
  expect(frozenInScope(own, query())).toEqual([1])
  expect(frozenInScope(market([[2, 0]], frozen), query({ scope: 'coins' }))).toEqual([])
})
it('the coin that made over three quarters of a distance is named, whichever way the pair is shown, and none where both did', () => {
  const level = (end: number) => (day: number) => (day === 364 ? 100 + end : 100 + Math.sin(day))
  const moved = radarAnswer([level(0.5), level(20), level(-20)])
  const mover = (pair: number, flip: boolean) => radarFigures(market([], moved), pair, 90, flip).mover
  // ETH / BTC, C2 / BTC, C2 / ETH
  expect([0, 1, 2].map((pair) => mover(pair, false))).toEqual(['a', 'a', null])
  expect([0, 1, 2].map((pair) => mover(pair, true))).toEqual(['b', 'b', null])
})
