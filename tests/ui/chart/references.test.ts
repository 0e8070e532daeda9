import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckpointView } from '../../../src/db/view'
import { LINES, REFERENCE_STYLES, referencesOf, type Reference } from '../../../src/features/chart/lines'
import { placeLabels } from '../../../src/features/chart/plot/reference-lines'
import { valueRange } from '../../../src/features/chart/plot/axes'
import { alertsView, widgetView } from '../../support/widget-view'

const checkpoint = (ratio: number, isDefault = false) => ({ ratio, isDefault }) as CheckpointView

describe('references of a pair', () => {
  it('the references of a pair are its alerts and checkpoints, the most important first', () => {
    const checkpoints = [checkpoint(3), checkpoint(4, true), checkpoint(5)]
    expect(
      referencesOf(widgetView({ alerts: alertsView({ high: { threshold: 9 }, low: { threshold: 1 } }), checkpoints })),
    ).toEqual([
      { kind: 'high', value: 9 },
      { kind: 'low', value: 1 },
      { kind: 'default', value: 4 },
      { kind: 'checkpoint', value: 3 },
      { kind: 'checkpoint', value: 5 },
    ])
  })

  it('a pair without alerts and checkpoints has no references', () => {
    expect(referencesOf(widgetView())).toEqual([])
  })

  it('references and chart lines all have different dashes, so that they differ without colour', () => {
    const dashes = [...LINES, ...Object.values(REFERENCE_STYLES)].map(({ dash }) => dash.join())
    expect(new Set(dashes).size).toBe(dashes.length)
  })
})

describe('value axis', () => {
  const at = (...values: number[]): Reference[] => values.map((value) => ({ kind: 'high', value }))

  it('the value axis takes in a reference that lies at most half a span outside the data', () => {
    expect(valueRange(at(25, 5), 10, 20)).toEqual([5 - 1.2, 25 + 1.2])
    expect(valueRange(at(25.1, 4.9), 10, 20)).toEqual([10 - 0.6, 20 + 0.6])
    expect(valueRange(at(15), 10, 20)).toEqual([10 - 0.6, 20 + 0.6])
  })

  it('the value axis always contains the data and gives them at least 44 % of its height', () => {
    const positive = fc.double({ min: 1e-6, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(fc.array(positive), positive, positive, (values, one, other) => {
        const [min, max] = [Math.min(one, other), Math.max(one, other)]
        const [low, high] = valueRange(at(...values), min, max)
        expect(low).toBeLessThan(high)
        expect(low <= min && high >= max).toBe(true)
        if (max - min > 1e-9 * max) expect((max - min) / (high - low)).toBeGreaterThan(0.44)
      }),
    )
  })

  it('a reference does not widen the value axis around a flat line, which stays in the middle', () => {
    expect(valueRange(at(5.1), 5, 5)).toEqual([4.975, 5.025])
  })
})

describe('reference labels', () => {
  const place = (labels: readonly (readonly [y: number, width: number])[]) =>
    placeLabels(
      labels.map(([y, width]) => ({ y, width, right: 200 })),
      10,
      { height: 20, gap: 4 },
    )

  it('reference labels stand at the left edge where they are apart', () => {
    expect(
      place([
        [100, 50],
        [120, 60],
        [60, 40],
      ]),
    ).toEqual([10, 10, 10])
  })

  it('a reference label that would cover earlier labels moves to their right', () => {
    expect(
      place([
        [100, 50],
        [110, 60],
        [90, 40],
      ]),
    ).toEqual([10, 64, 64])
    expect(
      place([
        [100, 50],
        [110, 60],
        [105, 40],
      ]),
    ).toEqual([10, 64, 128])
  })

  it('reference labels are left out where there is no room', () => {
    expect(
      place([
        [100, 100],
        [100, 80],
        [100, 10],
      ]),
    ).toEqual([10, 114, null])
    expect(place([[100, 191]])).toEqual([null])
  })

  it('reference labels never cover one another', () => {
    const label = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 5, max: 90 }))
    fc.assert(
      fc.property(fc.array(label, { maxLength: 25 }), (labels) => {
        const lefts = place(labels)
        const boxes = labels.flatMap(([y, width], i) => {
          const left = lefts[i]
          return left == null ? [] : [{ y, left, right: left + width }]
        })
        for (const a of boxes)
          for (const b of boxes)
            if (a !== b) expect(Math.abs(a.y - b.y) >= 20 || a.right < b.left || b.right < a.left).toBe(true)
      }),
    )
  })
})
