import { describe, expect, it } from 'vitest'
import type { BoardView } from '../../../src/db/view'
import type { WidgetId } from '../../../src/domain/ids'
import { chartWidget } from '../../../src/features/chart/chart-screen'
import { currentRatio, lastRatio, periodChange, shortSince, staleness } from '../../../src/features/chart/chart-figures'
import { averageLabel } from '../../../src/features/chart/lines'
import { PERIOD_RULES, PERIODS } from '../../../src/domain/chart-periods'
import { widgetView } from '../../support/widget-view'
import { chartOf } from './charts'

const NOW = Date.UTC(2026, 10, 21, 12)
const MINUTE = 60_000
const ok = { kind: 'ended', readBy: 1, failure: null } as const
const failed = { kind: 'ended', readBy: 1, failure: 'down' } as const

describe('figures of a chart', () => {
  it('chart figures are the last ratio and the relative change from the first known ratio', () => {
    expect(lastRatio(chartOf([2, 3]))).toBe(3)
    expect(periodChange(chartOf([2, 3]), 3)).toBe(0.5)
    expect(periodChange({ ...chartOf([1, 2, 3]), ratio: Float64Array.of(NaN, 2, 3) }, 3)).toBe(0.5)
  })

  it('chart figures are null rather than infinite, and null for a chart without points', () => {
    expect(periodChange(chartOf([0, 3]), 3)).toBeNull()
    expect(lastRatio(chartOf([]))).toBeNull()
    expect(periodChange(chartOf([]), null)).toBeNull()
  })

  it('chart figures show the latest prices at once, unless the chart ends with newer history', () => {
    const chart = chartOf([2, 3], NOW)
    const live = (time: number, priceB = 2) => ({ providerTime: time, priceA: 8, priceB, source: 'simulated' })
    expect(currentRatio(chart, live(NOW + 1))).toBe(4)
    expect(currentRatio(null, live(NOW))).toBe(4)
    expect(currentRatio(chart, live(NOW))).toBe(3)
    expect(currentRatio(chart, live(NOW + 1, 0))).toBe(3)
    expect(currentRatio(chart, null)).toBe(3)
    expect(currentRatio(null, null)).toBeNull()
  })

  it('the label of the chart’s average names the target window of each period', () => {
    expect(PERIODS.map((period) => averageLabel(PERIOD_RULES[period].averageDays))).toEqual([
      'EMA (0.125d Target)',
      'EMA (1d Target)',
      'EMA (3d Target)',
      'EMA (7d Target)',
      'EMA (30d Target)',
    ])
  })
})

describe('age of chart data', () => {
  it('the chart mentions no age while its newest price is nine minutes old', () => {
    // A server with a small budget of calls asks its provider every few minutes.
    expect(staleness(chartOf([1, 2], NOW - 9 * MINUTE), ok, NOW)).toBeNull()
  })

  it('the chart says how old its data is when prices have stopped coming, also while a fetch is under way', () => {
    expect(staleness(chartOf([1, 2], NOW - 125 * MINUTE), ok, NOW)).toBe('Data from 2 h ago')
    expect(staleness(chartOf([1, 2], NOW - 125 * MINUTE), { kind: 'under-way' }, NOW)).toBe('Data from 2 h ago')
  })

  it('the chart says how old its history is only when the fetch failed and the stored history is old', () => {
    const chart = { ...chartOf([1, 2], NOW), fetchedAt: NOW - 26 * 60 * MINUTE }
    expect(staleness(chart, failed, NOW)).toBe('History from 1 day ago')
    expect(staleness(chart, ok, NOW)).toBeNull()
    expect(staleness({ ...chart, fetchedAt: NOW }, failed, NOW)).toBeNull()
  })

  it('a chart whose data does not reach back to the start of its period knows the time of its first point', () => {
    const chart = chartOf([1, 2, 3], NOW)
    expect(shortSince({ ...chart, from: NOW - 365 * 24 * 60 * MINUTE })).toBe(chart.times[0])
    expect(shortSince(chart)).toBeNull()
    expect(shortSince(chartOf([]))).toBeNull()
  })
})

describe('widget of a chart address', () => {
  const widget = widgetView({ id: 'real' as WidgetId, key: 'temp-1' })
  const board = { widgets: [widget], ids: { 'temp-1': 'real' }, loaded: true } as unknown as BoardView

  it('the widget of a chart address is found by its id and by its temporary id', () => {
    expect(chartWidget(board, 'real' as WidgetId)).toEqual({ kind: 'found', widget })
    expect(chartWidget(board, 'temp-1' as WidgetId)).toEqual({ kind: 'found', widget })
  })

  it('the widget of a chart address counts as gone only once the list of widgets is loaded', () => {
    expect(chartWidget(board, 'other' as WidgetId).kind).toBe('gone')
    expect(chartWidget({ ...board, loaded: false }, 'other' as WidgetId).kind).toBe('loading')
    expect(chartWidget(undefined, 'real' as WidgetId).kind).toBe('loading')
  })
})
