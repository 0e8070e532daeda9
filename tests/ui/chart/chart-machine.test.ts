import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PERIODS } from '../../../src/domain/period'
import {
  initialChart,
  loadingStage,
  reduceChart,
  shownChart,
  type ChartEvent,
  type ChartState,
} from '../../../src/features/chart/chart-machine'
import type { ChartAnswer, ChartReady } from '../../../workers/api'
import { chartOf } from './charts'

const week = chartOf([1, 2, 3])
const day = chartOf([4, 5])
const unavailable: ChartAnswer = { kind: 'error', message: 'Chart data (hourly) not available.' }
const empty: ChartAnswer = { kind: 'empty' }

const run = (...events: ChartEvent[]): ChartState => events.reduce(reduceChart, initialChart('7d'))
const chosen = (selection: number, period: ChartState['period'] = '7d'): ChartEvent => ({
  type: 'chosen',
  selection,
  period,
})
const answered = (selection: number, request: number, answer: ChartAnswer): ChartEvent => ({
  type: 'answered',
  selection,
  request,
  answer,
})
const extended = (selection: number, request: number, chart: ChartReady): ChartEvent => ({
  type: 'extended',
  selection,
  request,
  chart,
})
const fetchStarted = (selection: number): ChartEvent => ({ type: 'fetch-started', selection })
const fetchEnded = (selection: number, readBy: number, failure: string | null = null): ChartEvent => ({
  type: 'fetch-ended',
  selection,
  readBy,
  failure,
})

describe('opening a chart', () => {
  it('is processing until the first computation has answered', () => {
    const state = run(chosen(1))
    expect(state).toMatchObject({ kind: 'loading', period: '7d', before: null })
    expect(state.kind === 'loading' && loadingStage(state)).toBe('processing')
  })

  it('shows what is stored without waiting for the server', () => {
    expect(run(chosen(1), answered(1, 2, week))).toMatchObject({
      kind: 'ready',
      chart: week,
      fetch: { kind: 'under-way' },
    })
  })

  it.each([unavailable, empty])('waits for the server while nothing is stored (%o)', (answer) => {
    const state = run(chosen(1), answered(1, 2, answer))
    expect(state.kind === 'loading' && loadingStage(state)).toBe('fetching')
  })

  it('reads what the server sent before it says that there is nothing', () => {
    const waiting = run(chosen(1), answered(1, 2, unavailable), fetchEnded(1, 3))
    expect(waiting.kind === 'loading' && loadingStage(waiting)).toBe('processing')
    expect(reduceChart(waiting, answered(1, 3, week))).toMatchObject({ kind: 'ready', chart: week })
    expect(reduceChart(waiting, answered(1, 3, unavailable))).toMatchObject({
      kind: 'error',
      message: 'Chart data (hourly) not available.',
    })
    expect(reduceChart(waiting, answered(1, 3, empty)).kind).toBe('empty')
  })

  it('does not take a computation that began before the fetch ended for the last word', () => {
    const state = run(chosen(1), fetchEnded(1, 3), answered(1, 2, unavailable))
    expect(state.kind).toBe('loading')
    expect(reduceChart(state, answered(1, 3, week)).kind).toBe('ready')
  })

  it('keeps why the server could not help', () => {
    const failure = 'Error fetching history for bitcoin (7d): Network error or unable to connect.'
    const state = run(chosen(1), answered(1, 2, unavailable), fetchEnded(1, 3, failure), answered(1, 3, unavailable))
    expect(state).toMatchObject({ kind: 'error', fetch: { kind: 'ended', failure } })
  })

  it('keeps a chart that is there when the fetch fails', () => {
    const state = run(chosen(1), answered(1, 2, week), fetchEnded(1, 3, 'down'))
    expect(state).toMatchObject({ kind: 'ready', chart: week, fetch: { failure: 'down' } })
  })
})

describe('a chart that stands', () => {
  it('follows newer computations, never older ones', () => {
    const newer = chartOf([1, 2, 3, 4])
    const state = run(chosen(1), answered(1, 4, newer), answered(1, 2, week))
    expect(shownChart(state)?.chart).toBe(newer)
    expect(shownChart(reduceChart(state, answered(1, 5, week)))?.chart).toBe(week)
  })

  it('gives way to an error that a later computation found', () => {
    expect(run(chosen(1), answered(1, 2, week), fetchEnded(1, 3), answered(1, 4, unavailable)).kind).toBe('error')
  })

  it('stays, dimmed, while the server is asked for what a later computation lacked', () => {
    const state = run(chosen(1), answered(1, 2, week), answered(1, 3, empty))
    expect(state).toMatchObject({ kind: 'loading', before: { chart: week } })
  })
})

describe('a last point that moves', () => {
  const moved = chartOf([1, 2, 9])

  it('shows in the chart that it belongs to', () => {
    const state = run(chosen(1), answered(1, 2, week), extended(1, 2, moved))
    expect(state).toMatchObject({ kind: 'ready', chart: moved, applied: 2 })
    expect(shownChart(reduceChart(state, answered(1, 3, day)))?.chart).toBe(day)
  })

  it('changes nothing of a chart that came later, of another period, or of none', () => {
    const newer = run(chosen(1), answered(1, 2, week), answered(1, 3, day))
    expect(reduceChart(newer, extended(1, 2, moved))).toBe(newer)
    const other = run(chosen(1), answered(1, 2, week), chosen(3, '1d'), answered(3, 4, day))
    expect(reduceChart(other, extended(1, 4, moved))).toBe(other)
    const loading = run(chosen(1), answered(1, 2, week), answered(1, 3, empty))
    expect(reduceChart(loading, extended(1, 3, moved))).toBe(loading)
  })
})

describe('choosing a period', () => {
  it('clears the old one but keeps its picture until the new one is there', () => {
    const state = run(chosen(1), answered(1, 2, week), chosen(3, '1d'))
    expect(state).toMatchObject({ kind: 'loading', period: '1d', before: { period: '7d', chart: week } })
    expect(reduceChart(state, answered(3, 4, day))).toMatchObject({ kind: 'ready', period: '1d', chart: day })
  })

  it('keeps the picture through several quick choices', () => {
    const state = run(chosen(1), answered(1, 2, week), chosen(3, '1d'), chosen(5, '1y'))
    expect(state).toMatchObject({ period: '1y', before: { period: '7d' } })
  })

  it('ignores a slow answer for an earlier choice, also of the same period', () => {
    const state = run(chosen(1, '7d'), chosen(3, '1d'), answered(1, 2, week))
    expect(state.kind).toBe('loading')
    expect(run(chosen(1, '7d'), chosen(3, '1d'), chosen(5, '7d'), answered(1, 2, week)).kind).toBe('loading')
    const ready = run(chosen(1, '7d'), chosen(3, '1d'), answered(3, 4, day))
    expect(reduceChart(ready, answered(1, 2, week))).toBe(ready)
    expect(reduceChart(ready, fetchEnded(1, 9, 'late'))).toBe(ready)
  })

  it('has no picture to keep after an error', () => {
    const state = run(chosen(1), fetchEnded(1, 2), answered(1, 2, unavailable), chosen(3, '1d'))
    expect(state).toMatchObject({ kind: 'loading', before: null })
  })
})

describe('trying again', () => {
  it.each([unavailable, empty])('goes back to waiting for the server (%o)', (answer) => {
    const state = run(chosen(1), fetchEnded(1, 2), answered(1, 2, answer), fetchStarted(1))
    expect(state.kind === 'loading' && loadingStage(state)).toBe('fetching')
    expect(reduceChart(reduceChart(state, fetchEnded(1, 3)), answered(1, 3, week)).kind).toBe('ready')
  })

  it('leaves a chart alone', () => {
    const state = run(chosen(1), answered(1, 2, week), fetchEnded(1, 3, 'down'), fetchStarted(1))
    expect(state).toMatchObject({ kind: 'ready', chart: week, fetch: { kind: 'under-way' } })
  })
})

describe('whatever happens, in whatever order', () => {
  const answer = fc.constantFrom<ChartAnswer>(week, day, empty, unavailable)
  const number = fc.integer({ min: 1, max: 12 })
  const event: fc.Arbitrary<ChartEvent> = fc.oneof(
    fc.record({ type: fc.constant('chosen' as const), selection: number, period: fc.constantFrom(...PERIODS) }),
    fc.record({ type: fc.constant('answered' as const), selection: number, request: number, answer }),
    fc.record({
      type: fc.constant('extended' as const),
      selection: number,
      request: number,
      chart: fc.constantFrom(week, day),
    }),
    fc.record({ type: fc.constant('fetch-started' as const), selection: number }),
    fc.record({
      type: fc.constant('fetch-ended' as const),
      selection: number,
      readBy: number,
      failure: fc.constantFrom(null, 'down'),
    }),
  )

  it('goes forward only, and shows nothing of another choice as its own', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = initialChart('7d')
        for (const next of events) {
          const before = state
          state = reduceChart(before, next)
          expect(state.selection).toBeGreaterThanOrEqual(before.selection)
          if (state.selection === before.selection) expect(state.applied).toBeGreaterThanOrEqual(before.applied)
          if (next.type !== 'chosen' && next.selection !== before.selection) expect(state).toBe(before)
          if (state.kind === 'ready' && state !== before) expect(state.selection).toBe(next.selection)
        }
      }),
    )
  })

  it('always ends: a fetch that has ended and a computation after it leave nothing loading', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), answer, (events, last) => {
        const state = events.reduce(reduceChart, initialChart('7d'))
        const { selection } = state
        const ended = [fetchEnded(selection, 20), answered(selection, 20, last)].reduce(reduceChart, state)
        expect(ended.kind).not.toBe('loading')
      }),
    )
  })
})
