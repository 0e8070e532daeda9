import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { pixelOf, thinLine, type PixelScale } from '../../src/domain/thin-line'

const same: PixelScale = { from: 0, at: 0, perUnit: 1 }

/** The vertices of a line whose points are given in pixels. */
function verticesOf(xs: readonly number[], ys: readonly number[], from = 0, to = xs.length - 1): [number, number][] {
  const vertices: [number, number][] = []
  const sink = { lineTo: (x: number, y: number) => void vertices.push([x, y]) }
  thinLine(Float64Array.from(xs), Float64Array.from(ys), from, to, same, same, sink)
  return vertices
}

/** Lowest and highest the drawn line gets in a column of pixels. */
function reachAt(vertices: readonly [number, number][], column: number): [number, number] {
  const levels: number[] = []
  vertices.forEach(([x, y], i) => {
    if (x === column) levels.push(y)
    const next = vertices[i + 1]
    if (next !== undefined && x < column && column < next[0])
      levels.push(y + ((next[1] - y) * (column - x)) / (next[0] - x))
  })
  return [Math.min(...levels), Math.max(...levels)]
}

/** Tolerance inside a column, of the line, and of rounding to whole pixels. */
const OFF = 0.35 + 0.35 + 0.5 + 1e-9

const lines = fc
  .array(fc.tuple(fc.double({ min: 0.05, max: 4, noNaN: true }), fc.double({ min: -6, max: 6, noNaN: true })), {
    minLength: 1,
    maxLength: 300,
  })
  .map((steps) => {
    let [x, y] = [0, 300]
    return steps.map(([right, down]): [number, number] => [(x += right), (y += down)])
  })

it('a thinned line reaches as far up and down in every column of pixels as all its points do', () => {
  fc.assert(
    fc.property(lines, (points) => {
      const vertices = verticesOf(
        points.map(([x]) => x),
        points.map(([, y]) => y),
      )
      for (const column of new Set(points.map(([x]) => Math.round(x)))) {
        const levels = points.filter(([x]) => Math.round(x) === column).map(([, y]) => y)
        const [low, high] = reachAt(vertices, column)
        expect(Math.abs(low - Math.min(...levels))).toBeLessThanOrEqual(OFF)
        expect(Math.abs(high - Math.max(...levels))).toBeLessThanOrEqual(OFF)
      }
    }),
  )
})

it('a thinned line runs from left to right through whole pixels, from its first point to its last', () => {
  fc.assert(
    fc.property(lines, (points) => {
      const vertices = verticesOf(
        points.map(([x]) => x),
        points.map(([, y]) => y),
      )
      expect(vertices.flat().every(Number.isInteger)).toBe(true)
      expect(vertices.map(([x]) => x)).toEqual(vertices.map(([x]) => x).toSorted((a, b) => a - b))
      expect(vertices[0]?.[0]).toBe(Math.round(points[0]![0]))
      expect(vertices.at(-1)?.[0]).toBe(Math.round(points.at(-1)![0]))
    }),
  )
})

it('a thinned line keeps two vertices of a straight line, and few of a smooth line', () => {
  const xs = Array.from({ length: 1_000 }, (_, i) => i)
  expect(verticesOf(xs, xs)).toEqual([
    [0, 0],
    [999, 999],
  ])
  const wave = verticesOf(
    xs,
    xs.map((x) => 100 * Math.sin(x / 160)),
  )
  expect(wave.length).toBeLessThan(100)
})

it('a thinned line keeps a peak that is one of many points in a column of pixels', () => {
  const ys = Array.from({ length: 100 }, (_, i) => (i === 40 ? 50 : 0))
  const xs = ys.map((_, i) => i / 50)
  expect(verticesOf(xs, ys)).toContainEqual([1, 50])
})

it('a thinned line is drawn from the first index asked for to the last', () => {
  const xs = [0, 10, 20, 30, 40]
  expect(verticesOf(xs, [0, 9, 0, 9, 0], 1, 3)).toEqual([
    [10, 9],
    [20, 0],
    [30, 9],
  ])
  expect(verticesOf(xs, xs, 2, 2)).toEqual([[20, 20]])
})

it('pixelOf places a value by its scale, larger values higher up', () => {
  expect(pixelOf({ from: 5, at: 100, perUnit: -10 }, 7)).toBe(80)
})
