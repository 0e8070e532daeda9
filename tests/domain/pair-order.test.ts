import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdOrder, nearestThreshold, orderPairs, PAIR_ORDERS } from '../../src/domain/pair-order'
import { placed as place } from '../support/placed'

type PairFacts = Parameters<typeof orderPairs>[0][number]

const pair = (key: string, facts: Partial<PairFacts> & { high?: number; low?: number } = {}): PairFacts => {
  const { high = null, low = null, ...rest } = facts
  return { key, name: key, ratio: 100, change24h: 0, standing: null, thresholds: { high, low }, ...rest }
}

it.each([
  ['the nearer of two', 100, { high: 110, low: 95 }, { side: 'low', move: 0.05 }],
  ['the only one', 100, { high: 110, low: null }, { side: 'high', move: 0.1 }],
  ['the one that the ratio is beyond', 100, { high: 80, low: 99 }, { side: 'high', move: -0.2 }],
  ['the one that the ratio stands upon', 100, { high: 100, low: 99.5 }, { side: 'high', move: 0 }],
])('the nearest threshold is %s, with the move that leads to it', (_which, ratio, thresholds, nearest) => {
  const found = nearestThreshold(ratio, thresholds)
  expect(found?.side).toBe(nearest.side)
  expect(found?.move).toBeCloseTo(nearest.move, 12)
})

it.each([
  ['without thresholds', 100, { high: null, low: null }],
  ['without a ratio', null, { high: 1, low: 0.5 }],
  ['with a ratio of zero', 0, { high: 1, low: 0.5 }],
])('a pair %s has no nearest threshold', (_which, ratio, thresholds) => {
  expect(nearestThreshold(ratio, thresholds)).toBeNull()
})

const risen = pair('risen', { change24h: 0.2 })
const fallen = pair('fallen', { change24h: -0.3 })
const unknown = pair('unknown', { change24h: null })
const crossed = pair('crossed', { high: 90, change24h: 0.1 })
const far = pair('far', { high: 150 })
const near = pair('near', { low: 99 })
const placed = (
  key: string,
  percentile: number,
  z: number | null,
  facts: Partial<PairFacts> & { high?: number } = {},
) => pair(key, { standing: place({ percentile, z }), ...facts })
const low = placed('low', 0.04, -1.7)
const high = placed('high', 0.99, 2)
const middle = placed('middle', 0.5, 0)

it.each([
  ['hand', [far, crossed, near], ['far', 'crossed', 'near']],
  ['near', [unknown, far, near, crossed], ['crossed', 'near', 'far', 'unknown']],
  ['rises', [unknown, fallen, crossed, risen], ['crossed', 'risen', 'fallen', 'unknown']],
  ['falls', [unknown, risen, crossed, fallen], ['crossed', 'fallen', 'risen', 'unknown']],
  [
    'extreme',
    [unknown, middle, low, placed('beyond', 0.6, 1, { high: 90 }), high],
    ['beyond', 'high', 'low', 'middle', 'unknown'],
  ],
  ['extreme', [placed('at-high', 1, 2.1), placed('at-low', 0, -2.2)], ['at-low', 'at-high']],
  ['name', [risen, crossed, fallen], ['crossed', 'fallen', 'risen']],
  ['name-down', [fallen, crossed, risen], ['crossed', 'risen', 'fallen']],
] as const)('in the order "%s", computed ones put crossed pairs first and the unknown last', (order, pairs, keys) => {
  expect(orderPairs(pairs, order)).toEqual(keys)
})

it('the pair that is furthest beyond its threshold leads the pairs that are nearest to theirs', () => {
  expect(orderPairs([crossed, pair('further', { high: 50 })], 'near')).toEqual(['further', 'crossed'])
})

it('every order keeps all pairs, and those that compare equal as they stand by hand', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 50 }), fc.constantFrom(...PAIR_ORDERS), (keys, order) => {
      expect(
        orderPairs(
          keys.map((key) => pair(key, { name: 'same' })),
          order,
        ),
      ).toEqual(keys)
    }),
  )
})

it('a held order does not move pairs, drops pairs that are gone, and puts new ones at the end', () => {
  expect(holdOrder(['a', 'b', 'c'], ['new', 'c', 'a'])).toEqual(['a', 'c', 'new'])
})

it('a held order has exactly the pairs of the wanted order', () => {
  const keys = fc.uniqueArray(fc.nat(20).map(String), { maxLength: 20 })
  fc.assert(
    fc.property(keys, keys, (shown, wanted) => {
      expect(holdOrder(shown, wanted).toSorted()).toEqual(wanted.toSorted())
    }),
  )
})
