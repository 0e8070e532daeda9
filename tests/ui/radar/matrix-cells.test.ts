import { expect, it } from 'vitest'
import { cellAfter, cellFigures, furthestCell, matrixOf } from '../../../src/features/radar/matrix/matrix-cells'
import { drawnSize, matrixLayout } from '../../../src/features/radar/matrix/matrix-drawing'
import { marketOf, radarFigures } from '../../../src/features/radar/radar-market'
import { readQuery } from '../../../src/features/radar/radar-query'
import { radarRows } from '../../../src/features/radar/radar-rows'
import { rowsInSight } from '../../../src/domain/rows-in-sight'
import { coinNumber } from '../support/local-app'
import { labelsOf, MONEY, radarAnswer, wave } from './radar-market'

const answer = radarAnswer([wave(0), wave(9), wave(-14), wave(3)])
const own = [{ coinA: coinNumber(0).id, coinB: coinNumber(2).id }]
const market = marketOf(answer, labelsOf(answer), own)
const cells = matrixOf(market, radarRows(market, readQuery('', 20)), 90)

it('a cell of the matrix is minus its mirror, and agrees with the list’s figures', () => {
  for (let row = 0; row < cells.size; row++) {
    expect(cells.z[row * cells.size + row]).toBeNaN()
    for (let column = 0; column < row; column++) {
      const pair = market.pairAt[row * 4 + column]!
      const z = radarFigures(market, pair, 90, false).z
      expect(cells.z[row * 4 + column]).toBe(Math.fround(z))
      expect(cells.z[column * 4 + row]).toBe(-cells.z[row * 4 + column]!)
      expect(cellFigures(market, cells, { row, column }, 90)?.z).toBe(z)
      expect(cellFigures(market, cells, { row: column, column: row }, 90)?.z).toBe(-z)
    }
  }
})
it('the matrix has the coins of the listed pairs alone, and no figure for a pair that is left out', () => {
  const some = matrixOf(market, Uint32Array.of(market.pairAt[4]!, market.pairAt[3 * 4]!), 90)
  expect(some.coins).toEqual([0, 1, 3])
  expect(cellFigures(market, some, { row: 1, column: 2 }, 90)).toBeNull()
  expect(cellFigures(market, some, { row: 1, column: 1 }, 90)).toBeNull()
})
it('a peg’s cell of the matrix has a pair and no colour', () => {
  const money = radarAnswer(MONEY)
  const all = marketOf(money, labelsOf(money), [])
  const { size, z, pairs } = matrixOf(all, radarRows(all, readQuery('?pegged=shown', 20)), 90)
  const [peg, other] = [3 * size, size]
  expect([z[peg], pairs[peg]! >= 0]).toEqual([NaN, true])
  expect(z[other]).not.toBeNaN()
})
it('keys walk the matrix and stop at its edges', () => {
  const walk = (...keys: string[]) =>
    keys.reduce((at, key) => cellAfter(at, { key, ctrlKey: false }, 4) ?? at, { row: 1, column: 1 })
  expect(walk('ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight')).toEqual({ row: 2, column: 3 })
  expect(walk('Home')).toEqual({ row: 1, column: 0 })
  expect(walk('End', 'PageDown')).toEqual({ row: 3, column: 3 })
  expect(cellAfter({ row: 1, column: 1 }, { key: 'Home', ctrlKey: true }, 4)).toEqual({ row: 0, column: 0 })
  expect(cellAfter({ row: 1, column: 1 }, { key: 'x', ctrlKey: false }, 4)).toBeNull()
})
it('keys begin at the cell of the matrix furthest above its average', () => {
  const { row, column } = furthestCell(cells)
  expect(cells.z[row * 4 + column]).toBe(Math.max(...cells.z.filter((z) => !Number.isNaN(z))))
})
it('cells are whole device pixels and the matrix fits its width', () => {
  for (const [width, size, ratio] of [
    [296, 100, 3],
    [500, 20, 1],
    [500, 100, 1.5],
  ] as const) {
    const layout = matrixLayout(width, size, ratio)
    expect(Number.isInteger(layout.cell)).toBe(true)
    expect(drawnSize(layout, size)).toBeLessThanOrEqual(width * ratio)
  }
})

it('a long list draws the rows in sight and a few beyond either edge', () => {
  expect(rowsInSight(200, 800, 56, 4950)).toEqual({ first: 0, end: 20 })
  const { first, end } = rowsInSight(-56 * 1000, 800, 56, 4950)
  expect(first).toBeLessThanOrEqual(992)
  expect(end).toBeGreaterThanOrEqual(1022)
  expect(end - first).toBeLessThan(40)
  expect(rowsInSight(-56 * 4940, 800, 56, 4950).end).toBe(4950)
})
