import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { moverOf, moveWords } from '../../src/domain/coin-moves'
import { makesRatio } from '../../src/domain/coin-prices'

const ETH_BTC = ['ETH', 'BTC'] as const
const BEFORE = { a: 2_000, b: 50_000 }
const words = (a: number, b: number) =>
  moveWords(ETH_BTC, BEFORE, { a: BEFORE.a * a, b: BEFORE.b * b }).replaceAll('\u00A0', ' ')

test('the moves of two coins name first the one that made more than three quarters of the pair’s movement', () => {
  expect(words(1.08, 0.99)).toBe('mostly ETH: +8.0 %, BTC −1.0 %')
  expect(words(1.001, 0.5)).toBe('mostly BTC: −50 %, ETH +0.10 %')
  expect(words(1.08, 1.07)).toBe('ETH +8.0 %, BTC +7.0 %')
  expect(words(1.0004, 1.0001)).toBe('mostly ETH: +0.04 %, BTC +0.01 %')
  expect(words(1, 1)).toBe('ETH 0.00 %, BTC 0.00 %')
  expect(words(0, 1.2)).toBe('ETH −100 %, BTC +20 %')
})

test('turning a pair turns the coin that made most of its movement', () => {
  const leg = fc.double({ min: -5, max: 5, noNaN: true })
  fc.assert(
    fc.property(leg, leg, (a, b) => {
      const turned = moverOf(b, a)
      expect(moverOf(a, b)).toBe(turned === null ? null : turned === 'a' ? 'b' : 'a')
    }),
  )
})

test('prices make a ratio within rounding alone, and only where they can be stored', () => {
  const price = fc.double({ min: 1e-12, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(price, price, (a, b) => {
      expect(makesRatio({ a, b }, a / b)).toBe(true)
      expect(makesRatio({ a, b }, (a / b) * 1.000_001)).toBe(false)
    }),
  )
  for (const b of [0, -2, NaN, Infinity, 1e-31]) expect(makesRatio({ a: 4, b }, 4 / b), `${b}`).toBe(false)
  expect(makesRatio({ a: 4, b: 2 }, NaN)).toBe(false)
})
