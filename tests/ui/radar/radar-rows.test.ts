import { expect, it } from 'vitest'
import { isShort, marketOf, radarFigures, type RadarMarket, rowsOf } from '../../../src/features/radar/radar-market'
import {
  type RadarOrder,
  type RadarQuery,
  readQuery,
  SCOPES,
  writeQuery,
} from '../../../src/features/radar/radar-query'
import { loosenings, radarRows } from '../../../src/features/radar/radar-rows'
import { coinNumber } from '../support/local-app'
import { labelsOf, radarAnswer, wave, young } from './radar-market'

const answer = radarAnswer([wave(0), wave(9), wave(-14), wave(3), wave(1), young(40)], 4)
const market = (own: readonly (readonly [number, number])[] = []) =>
  marketOf(
    answer,
    labelsOf(answer),
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
it('an own pair is shown as on the dashboard: z and percentile mirrored, correlation the same', () => {
  const [plain, own] = [market(), market([[1, 2]])]
  const pair = plain.pairAt[2 * 6 + 1]!
  const [before, after] = [radarFigures(plain, pair, 90), radarFigures(own, pair, 90)]
  expect(rowsOf(own, pair)).toEqual([1, 2])
  expect(after.z).toBe(-before.z)
  expect(after.percentile).toBe(1 - before.percentile)
  expect(after.ratio).toBe(1 / before.ratio)
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
