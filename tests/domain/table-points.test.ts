import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { tablePoints } from '../../src/domain/zoom-window'
it('the chart table thins visible points evenly, never exceeds its limit and always holds the newest', () => {
  const points = fc.record({
    count: fc.integer({ min: 0, max: 500 }),
    from: fc.integer({ min: -10, max: 510 }),
    width: fc.integer({ min: 0, max: 520 }),
    most: fc.integer({ min: 1, max: 60 }),
  })
  fc.assert(
    fc.property(points, ({ count, from, width, most }) => {
      const times = Float64Array.from({ length: count }, (_, i) => i)
      const inside = [...times].filter((time) => time >= from && time <= from + width)
      const { indices, visible } = tablePoints(times, { min: from, max: from + width }, most)
      expect(visible).toBe(inside.length)
      expect(indices.length).toBeLessThanOrEqual(most)
      expect(indices.every((index) => inside.includes(index))).toBe(true)
      expect(indices.at(-1)).toBe(inside.at(-1))
      expect(new Set(indices.slice(1).map((index, i) => index - (indices[i] ?? 0))).size).toBeLessThan(2)
      if (visible <= most) expect(indices).toEqual(inside)
      else expect(indices.length).toBeGreaterThan(most / 2)
    }),
  )
})
