import { expect, it } from 'vitest'
import { plotModel, type PlotView, withView } from '../../../src/features/chart/plot/model'
import { RATIO_SERIES, plotSeries } from '../../../src/features/chart/plot/series'
import type { Palette } from '../../../src/features/chart/plot/palette'
import type { Period } from '../../../src/domain/chart-periods'
import type uPlot from 'uplot'
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

const series = (period: Period) => {
  // As near to each other as the period's points are: a lonely one has a dot of its own size.
  const chart = chartOf([1, 2], undefined, 5 * 60_000)
  const model = plotModel({ period, chart, toggles: { average: false, bands: false }, references: [] })
  return plotSeries(
    () => model,
    () => ({}) as Palette,
  )[RATIO_SERIES]!.points!
}

it.each([
  ['1d', 2, 4],
  ['7d', 1, 2],
] as const)(
  'the points of a %s chart have the radius %s, and none is drawn where they would overlap',
  (period, radius, apart) => {
    const points = series(period)
    expect(points.size).toBe(2 * radius)
    const isShown = (spaces: number, width: number) =>
      (points.show as (u: uPlot, series: number, from: number, to: number) => boolean)(
        { over: { clientWidth: width } } as uPlot,
        RATIO_SERIES,
        0,
        spaces,
      )
    expect([isShown(100, 100 * apart), isShown(100, 100 * apart - 1)]).toEqual([true, false])
  },
)
