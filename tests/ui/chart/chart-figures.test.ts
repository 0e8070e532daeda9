import { describe, expect, it } from 'vitest'
import type { BoardView, WidgetView } from '../../../src/db/view'
import type { WidgetId } from '../../../src/domain/ids'
import { chartWidget } from '../../../src/features/chart/chart-widget'
import { lastRatio, periodChange } from '../../../src/features/chart/figures'
import { averageLabel } from '../../../src/features/chart/lines'
import { shortSince, staleness } from '../../../src/features/chart/staleness'
import { PERIOD_RULES, PERIODS } from '../../../src/domain/period'
import { chartOf } from './charts'

const NOW = Date.UTC(2026, 10, 21, 12)
const MINUTE = 60_000
const ok = { kind: 'ended', readBy: 1, failure: null } as const
const failed = { kind: 'ended', readBy: 1, failure: 'down' } as const

describe('figures of a chart', () => {
  it('are the last ratio and the way from the first', () => {
    expect(lastRatio(chartOf([2, 3]))).toBe(3)
    expect(periodChange(chartOf([2, 3]))).toBe(0.5)
    expect(periodChange({ ...chartOf([1, 2, 3]), ratio: Float64Array.of(NaN, 2, 3) })).toBe(0.5)
  })

  it('are missing rather than infinite', () => {
    expect(periodChange(chartOf([0, 3]))).toBeNull()
    expect(lastRatio(chartOf([]))).toBeNull()
    expect(periodChange(chartOf([]))).toBeNull()
  })

  it("name the average by the period's window", () => {
    expect(PERIODS.map((period) => averageLabel(PERIOD_RULES[period].averageDays))).toEqual([
      'EMA (0.125d Target)',
      'EMA (1d Target)',
      'EMA (3d Target)',
      'EMA (7d Target)',
      'EMA (30d Target)',
    ])
  })
})

describe('the age of the data', () => {
  it('is not spoken of while the newest price is fresh', () => {
    // A server with a small budget of calls asks its provider every few minutes.
    expect(staleness(chartOf([1, 2], NOW - 9 * MINUTE), ok, NOW)).toBeNull()
  })

  it('is said when prices have stopped coming', () => {
    expect(staleness(chartOf([1, 2], NOW - 125 * MINUTE), ok, NOW)).toBe('Data from 2 h ago')
    expect(staleness(chartOf([1, 2], NOW - 125 * MINUTE), { kind: 'under-way' }, NOW)).toBe('Data from 2 h ago')
  })

  it('is said of the history when only that could not be fetched', () => {
    const chart = { ...chartOf([1, 2], NOW), fetchedAt: NOW - 26 * 60 * MINUTE }
    expect(staleness(chart, failed, NOW)).toBe('History from 1 day ago')
    expect(staleness(chart, ok, NOW)).toBeNull()
    expect(staleness({ ...chart, fetchedAt: NOW }, failed, NOW)).toBeNull()
  })

  it('comes with how far back the data reaches, where that is short of the period', () => {
    const chart = chartOf([1, 2, 3], NOW)
    expect(shortSince({ ...chart, from: NOW - 365 * 24 * 60 * MINUTE })).toBe(chart.times[0])
    expect(shortSince(chart)).toBeNull()
    expect(shortSince(chartOf([]))).toBeNull()
  })
})

describe('the widget that an address names', () => {
  const widget = { id: 'real', key: 'temp-1' } as unknown as WidgetView
  const board = { widgets: [widget], ids: { 'temp-1': 'real' }, loaded: true } as unknown as BoardView

  it('is found by its id and by the temporary one', () => {
    expect(chartWidget(board, 'real' as WidgetId)).toEqual({ kind: 'found', widget })
    expect(chartWidget(board, 'temp-1' as WidgetId)).toEqual({ kind: 'found', widget })
  })

  it('is gone only once the list is known', () => {
    expect(chartWidget(board, 'other' as WidgetId).kind).toBe('gone')
    expect(chartWidget({ ...board, loaded: false }, 'other' as WidgetId).kind).toBe('loading')
    expect(chartWidget(undefined, 'real' as WidgetId).kind).toBe('loading')
  })
})
