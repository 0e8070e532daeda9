import { expect, it } from 'vitest'
import { timeRange, visibleWindow } from '../../../src/features/chart/plot/zoom'
import { fakePlot } from './fake-plot'

it('the time axis never shows less than the width of eight points', () => {
  const { u } = fakePlot({ count: 101, step: 10 })
  expect(timeRange(u, 0, 1000)).toEqual([0, 1000])
  expect(timeRange(u, 300, 400)).toEqual([300, 400])
  expect(timeRange(u, 500, 501)).toEqual([460.5, 540.5])
  expect(timeRange(u, 998, 1000)).toEqual([920, 1000])
  expect(visibleWindow(u)).toEqual({ min: 0, max: 1000 })
})

it('the time axis shows all points when there are fewer than eight', () => {
  const { u } = fakePlot({ count: 5, step: 10 })
  expect(timeRange(u, 10, 11)).toEqual([0, 40])
})
