import { expect, it } from 'vitest'
import { plotModel, type PlotView, withView } from '../../../src/features/chart/plot/model'
import { chartOf } from './charts'

it('the plot model computes its data again for a new chart, and keeps the data when lines are toggled', () => {
  const toggles = { average: false, bands: false }
  const view: PlotView = { period: '7d', chart: chartOf([1, 2]), toggles, references: [] }
  const model = plotModel(view)
  const toggled = withView(model, { ...view, toggles: { average: true, bands: true } })
  expect(toggled.data).toBe(model.data)
  expect(toggled.view.toggles.bands).toBe(true)
  expect(withView(model, { ...view, chart: chartOf([1, 2, 3]) }).data).not.toBe(model.data)
  expect(withView(model, { ...view, period: '1d' }).rules.tickUnit).toBe('hour')
})

it('plot columns hold null in place of NaN and infinity, which would make uPlot draw nothing at all', () => {
  const chart = {
    ...chartOf([1, 2, 3]),
    ema: Float64Array.of(NaN, Infinity, 3),
    upper: Float64Array.of(1, -Infinity, 2),
  }
  const toggles = { average: false, bands: false }
  const { data } = plotModel({ period: '7d', chart, toggles, references: [] })
  expect(data.slice(1)).toEqual([[1, null, 2], Float64Array.of(0, 1, 2), [null, null, 3], Float64Array.of(1, 2, 3)])
})
