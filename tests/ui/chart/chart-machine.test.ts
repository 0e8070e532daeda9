import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PERIODS } from '../../../src/domain/chart-periods'
import { chartMachine } from '../../../src/features/chart/chart-session'
import {
  initialChart,
  loadingStage,
  reduceChart,
  shownChart,
  type ChartEvent,
  type ChartState,
} from '../../../src/features/chart/chart-state'
import type { ChartAnswer } from '../../../workers/api'
import { chartOf } from './charts'

const week = chartOf([1, 2, 3])
const day = chartOf([4, 5])
const unavailable: ChartAnswer = { kind: 'error', message: 'Chart data (hourly) not available.' }
const empty: ChartAnswer = { kind: 'empty' }

const run = (...events: ChartEvent[]): ChartState => events.reduce(reduceChart, initialChart('7d'))
const chosen = (selection: number, period: ChartState['period'] = '7d'): ChartEvent => ({
  kind: 'chosen',
  selection,
  period,
})
const answered = (selection: number, request: number, answer: ChartAnswer): ChartEvent => ({
  kind: 'answered',
  selection,
  request,
  answer,
})
const fetchStarted = (selection: number): ChartEvent => ({ kind: 'fetch-started', selection })
const fetchEnded = (selection: number, readBy: number, failure: string | null = null): ChartEvent => ({
  kind: 'fetch-ended',
  selection,
  readBy,
  failure,
})

it('an opened chart is processing until its first computation has answered', () => {
  const state = run(chosen(1))
  expect(state).toMatchObject({ kind: 'loading', period: '7d', before: null })
  expect(state.kind === 'loading' && loadingStage(state)).toBe('processing')
})

it('a chart computed from stored data is shown while the fetch from the server is under way', () => {
  expect(run(chosen(1), answered(1, 2, week))).toMatchObject({
    kind: 'ready',
    chart: week,
    fetch: { kind: 'under-way' },
  })
})

it('a chart of what other periods have left is preliminary until the server has given the period’s own', () => {
  const part = { ...week, basis: 'part' as const }
  const waiting = run(chosen(1), answered(1, 2, part))
  expect(waiting).toMatchObject({ kind: 'preliminary', chart: part })
  expect(waiting.kind === 'preliminary' && loadingStage(waiting)).toBe('fetching')
  expect(run(chosen(1), answered(1, 2, part), fetchEnded(1, 3), answered(1, 3, week)).kind).toBe('ready')
  // A young server has no more than this.
  const young = run(chosen(1), answered(1, 2, part), fetchEnded(1, 3), answered(1, 3, part))
  expect(young.kind).toBe('ready')
  expect(reduceChart(reduceChart(young, fetchStarted(1)), answered(1, 4, part)).kind).toBe('ready')
})

it('without the server a preliminary chart stays one, and a year of daily closes is a chart', () => {
  const down = (basis: 'part' | 'closes') => {
    const chart = { ...week, basis }
    return run(chosen(1), answered(1, 2, chart), fetchEnded(1, 3, 'down'), answered(1, 3, chart)).kind
  }
  expect([down('part'), down('closes')]).toEqual(['preliminary', 'ready'])
})

it.each([unavailable, empty])('a chart waits for the server while nothing is stored (%o)', (answer) => {
  const state = run(chosen(1), answered(1, 2, answer))
  expect(state.kind === 'loading' && loadingStage(state)).toBe('fetching')
})

it('a chart computes from the fetched history before it shows data, an error or an empty period', () => {
  const waiting = run(chosen(1), answered(1, 2, unavailable), fetchEnded(1, 3))
  expect(waiting.kind === 'loading' && loadingStage(waiting)).toBe('processing')
  expect(reduceChart(waiting, answered(1, 3, week))).toMatchObject({ kind: 'ready', chart: week })
  expect(reduceChart(waiting, answered(1, 3, unavailable))).toMatchObject({
    kind: 'error',
    message: 'Chart data (hourly) not available.',
  })
  expect(reduceChart(waiting, answered(1, 3, empty)).kind).toBe('empty')
})

it('a computation that began before the fetch ended does not end the loading of a chart without data', () => {
  const state = run(chosen(1), fetchEnded(1, 3), answered(1, 2, unavailable))
  expect(state.kind).toBe('loading')
  expect(reduceChart(state, answered(1, 3, week)).kind).toBe('ready')
})

it('a chart error keeps the reason why the fetch from the server failed', () => {
  const failure = 'Error fetching history for bitcoin (7d): Network error or unable to connect.'
  const state = run(chosen(1), answered(1, 2, unavailable), fetchEnded(1, 3, failure), answered(1, 3, unavailable))
  expect(state).toMatchObject({ kind: 'error', fetch: { kind: 'ended', failure } })
})

it('a chart that is shown stays when the fetch fails', () => {
  const state = run(chosen(1), answered(1, 2, week), fetchEnded(1, 3, 'down'))
  expect(state).toMatchObject({ kind: 'ready', chart: week, fetch: { failure: 'down' } })
})

it('a shown chart follows newer computations, never older ones', () => {
  const newer = chartOf([1, 2, 3, 4])
  const state = run(chosen(1), answered(1, 4, newer), answered(1, 2, week))
  expect(shownChart(state)?.chart).toBe(newer)
  expect(shownChart(reduceChart(state, answered(1, 5, week)))?.chart).toBe(week)
})

it('a shown chart gives way to an error of a later computation', () => {
  expect(run(chosen(1), answered(1, 2, week), fetchEnded(1, 3), answered(1, 4, unavailable)).kind).toBe('error')
})

it('a shown chart is kept as picture while the server is asked for data that a later computation lacked', () => {
  const state = run(chosen(1), answered(1, 2, week), answered(1, 3, empty))
  expect(state).toMatchObject({ kind: 'loading', before: { chart: week } })
})

it('a chart that loads another period keeps the picture of the period before until its own is ready', () => {
  const state = run(chosen(1), answered(1, 2, week), chosen(3, '1d'))
  expect(state).toMatchObject({ kind: 'loading', period: '1d', before: { period: '7d', chart: week } })
  expect(reduceChart(state, answered(3, 4, day))).toMatchObject({ kind: 'ready', period: '1d', chart: day })
})

it('a chart keeps the last picture through several quick choices of a period', () => {
  const state = run(chosen(1), answered(1, 2, week), chosen(3, '1d'), chosen(5, '1y'))
  expect(state).toMatchObject({ period: '1y', before: { period: '7d' } })
})

it('a chart ignores a slow answer for an earlier choice of period, even where the period is the same', () => {
  const state = run(chosen(1, '7d'), chosen(3, '1d'), answered(1, 2, week))
  expect(state.kind).toBe('loading')
  expect(run(chosen(1, '7d'), chosen(3, '1d'), chosen(5, '7d'), answered(1, 2, week)).kind).toBe('loading')
  const ready = run(chosen(1, '7d'), chosen(3, '1d'), answered(3, 4, day))
  expect(reduceChart(ready, answered(1, 2, week))).toBe(ready)
  expect(reduceChart(ready, fetchEnded(1, 9, 'late'))).toBe(ready)
})

it('a chart that loads another period after an error has no picture to keep', () => {
  const state = run(chosen(1), fetchEnded(1, 2), answered(1, 2, unavailable), chosen(3, '1d'))
  expect(state).toMatchObject({ kind: 'loading', before: null })
})

it.each([unavailable, empty])('a chart without data waits for the server again at a new fetch (%o)', (answer) => {
  const state = run(chosen(1), fetchEnded(1, 2), answered(1, 2, answer), fetchStarted(1))
  expect(state.kind === 'loading' && loadingStage(state)).toBe('fetching')
  expect(reduceChart(reduceChart(state, fetchEnded(1, 3)), answered(1, 3, week)).kind).toBe('ready')
})

it('a shown chart stays when a new fetch starts', () => {
  const state = run(chosen(1), answered(1, 2, week), fetchEnded(1, 3, 'down'), fetchStarted(1))
  expect(state).toMatchObject({ kind: 'ready', chart: week, fetch: { kind: 'under-way' } })
})

it('a chart takes the answer of the newest computation, whatever order the answers come in', () => {
  const machine = chartMachine('7d')
  const { begin } = machine.choose('7d')
  const [first, second] = [begin(), begin()]
  second(day)
  first(week)
  expect(machine.state()).toMatchObject({ kind: 'ready', chart: day })
})

it('reports for an earlier choice of a period change nothing', () => {
  const machine = chartMachine('7d')
  const earlier = machine.choose('7d')
  const report = earlier.begin()
  const newer = machine.choose('1d')
  const before = machine.state()
  report(week)
  earlier.begin()(week)
  earlier.fetchStarted()
  earlier.fetchEnded('down')
  expect(machine.state()).toBe(before)
  expect([earlier.lacksChart(), newer.lacksChart()]).toEqual([false, true])
})

it('a chart without data waits for the computation that begins after the fetch has ended', () => {
  const machine = chartMachine('7d')
  const { begin, fetchEnded, lacksChart } = machine.choose('7d')
  const report = begin()
  fetchEnded(null)
  report(unavailable)
  expect(machine.state().kind).toBe('loading')
  expect(lacksChart()).toBe(true)
  begin()(unavailable)
  expect(machine.state().kind).toBe('error')
})

it('a listener hears of each change of the chart, and of no computation that merely begins, until it stops', () => {
  const machine = chartMachine('7d')
  const kinds: string[] = []
  const stop = machine.subscribe(() => kinds.push(machine.state().kind))
  const { begin } = machine.choose('7d')
  const report = begin()
  expect(kinds).toEqual(['loading'])
  report(week)
  stop()
  begin()(day)
  expect(kinds).toEqual(['loading', 'ready'])
})

describe('chart events in any order', () => {
  const answer = fc.constantFrom<ChartAnswer>(week, day, empty, unavailable)
  const number = fc.integer({ min: 1, max: 12 })
  const event: fc.Arbitrary<ChartEvent> = fc.oneof(
    fc.record({ kind: fc.constant('chosen' as const), selection: number, period: fc.constantFrom(...PERIODS) }),
    fc.record({ kind: fc.constant('answered' as const), selection: number, request: number, answer }),
    fc.record({ kind: fc.constant('fetch-started' as const), selection: number }),
    fc.record({
      kind: fc.constant('fetch-ended' as const),
      selection: number,
      readBy: number,
      failure: fc.constantFrom(null, 'down'),
    }),
  )

  it('chart state never goes back to an older choice or computation, and events of another choice change nothing', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = initialChart('7d')
        for (const next of events) {
          const before = state
          state = reduceChart(before, next)
          expect(state.selection).toBeGreaterThanOrEqual(before.selection)
          if (state.selection === before.selection) expect(state.applied).toBeGreaterThanOrEqual(before.applied)
          if (next.kind !== 'chosen' && next.selection !== before.selection) expect(state).toBe(before)
          if (state.kind === 'ready' && state !== before) expect(state.selection).toBe(next.selection)
        }
      }),
    )
  })

  it('a chart never stays loading once its fetch has ended and a computation after the fetch has answered', () => {
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
