import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CoinId } from '../../../src/domain/ids'
import type { Period } from '../../../src/domain/period'
import { initialChart, reduceChart, type ChartState } from '../../../src/features/chart/chart-machine'
import { chartSession } from '../../../src/features/chart/chart-session'
import type { ChartAnswer, ChartRequest } from '../../../workers/api'
import { chartOf } from './charts'

interface Asked<T, R> {
  readonly what: T
  readonly answer: (value: R) => void
  readonly fail: (reason: Error) => void
}

/** A worker and a server that answer when and as the test says. */
function slowWorld() {
  const charts: Asked<ChartRequest, ChartAnswer>[] = []
  const histories: Asked<{ coin: CoinId; period: Period }, void>[] = []
  const ask = <T, R>(list: Asked<T, R>[], what: T) =>
    new Promise<R>((answer, fail) => list.push({ what, answer, fail }))
  let state: ChartState = initialChart('7d')
  let number = 0
  const session = chartSession(
    {
      chart: (request) => ask(charts, request),
      requestHistory: (coin, period) => ask(histories, { coin, period }),
      now: () => 1000,
      nextNumber: () => (number += 1),
    },
    { coinA: 'bitcoin' as CoinId, coinB: 'ethereum' as CoinId },
    (event) => {
      state = reduceChart(state, event)
    },
  )
  return { charts, histories, session, state: () => state }
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve))
const week = chartOf([1, 2])
const missing: ChartAnswer = { kind: 'error', message: 'Chart data (thirtyMinutely) not available.' }

afterEach(() => vi.unstubAllGlobals())

describe('opening', () => {
  it('computes at once and asks for both coins beside that', () => {
    const { charts, histories, session } = slowWorld()
    session.open('7d')
    expect(charts.map(({ what }) => what)).toEqual([{ coinA: 'bitcoin', coinB: 'ethereum', period: '7d', now: 1000 }])
    expect(histories.map(({ what }) => what)).toEqual([
      { coin: 'bitcoin', period: '7d' },
      { coin: 'ethereum', period: '7d' },
    ])
  })

  it('computes again once both histories are there', async () => {
    const { charts, histories, session, state } = slowWorld()
    session.open('7d')
    charts[0]?.answer(missing)
    histories[0]?.answer()
    await settled()
    expect(charts).toHaveLength(1)
    histories[1]?.answer()
    await settled()
    expect(charts).toHaveLength(2)
    charts[1]?.answer(week)
    await settled()
    expect(state()).toMatchObject({ kind: 'ready', chart: week, fetch: { kind: 'ended', failure: null } })
  })

  it('shows the error with the reason when the server cannot help either', async () => {
    const { charts, histories, session, state } = slowWorld()
    session.open('7d')
    charts[0]?.answer(missing)
    histories[0]?.answer()
    histories[1]?.fail(new Error('Error fetching history for ethereum (7d): Not Found'))
    await settled()
    charts[1]?.answer(missing)
    await settled()
    expect(state()).toMatchObject({
      kind: 'error',
      message: 'Chart data (thirtyMinutely) not available.',
      fetch: { failure: 'Error fetching history for ethereum (7d): Not Found' },
    })
  })

  it('says that processing failed when the worker breaks', async () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const { charts, histories, session, state } = slowWorld()
    session.open('7d')
    histories.forEach(({ answer }) => answer())
    await settled()
    charts.forEach(({ fail }) => fail(new Error('out of memory')))
    await settled()
    expect(state()).toMatchObject({ kind: 'error', message: 'Failed to process chart data' })
    expect(reported).toHaveBeenCalled()
  })
})

describe('another period', () => {
  it('is never overwritten by a slow answer for the one before', async () => {
    const { charts, histories, session, state } = slowWorld()
    session.open('7d')
    session.open('1d')
    const day = chartOf([9, 8])
    charts[1]?.answer(day)
    await settled()
    charts[0]?.answer(week)
    histories[0]?.answer()
    histories[1]?.answer()
    await settled()
    expect(state()).toMatchObject({ kind: 'ready', period: '1d', chart: day })
    // The fetch of the period before does not start a computation any more.
    expect(charts).toHaveLength(2)
  })
})

describe('new prices', () => {
  it('make the chart follow, and many at once make one computation more', async () => {
    const { charts, session, state } = slowWorld()
    session.open('7d')
    charts[0]?.answer(week)
    await settled()
    session.refresh()
    session.refresh()
    session.refresh()
    expect(charts).toHaveLength(2)
    const newer = chartOf([1, 2, 3])
    charts[1]?.answer(newer)
    await settled()
    expect(state()).toMatchObject({ kind: 'ready', chart: newer })
    expect(charts).toHaveLength(3)
    charts[2]?.answer(newer)
    await settled()
    expect(charts).toHaveLength(3)
    session.refresh()
    expect(charts).toHaveLength(4)
  })

  it('do nothing once the chart is closed', async () => {
    const { charts, session } = slowWorld()
    session.open('7d')
    session.close()
    session.refresh()
    session.refetch()
    await settled()
    expect(charts).toHaveLength(1)
  })
})

describe('asking again', () => {
  it('goes back to loading and ends with what came', async () => {
    const { charts, histories, session, state } = slowWorld()
    session.open('7d')
    histories.forEach(({ fail }) => fail(new Error('down')))
    await settled()
    charts.forEach(({ answer }) => answer(missing))
    await settled()
    expect(state().kind).toBe('error')
    session.refetch()
    expect(state().kind).toBe('loading')
    histories.forEach(({ answer }) => answer())
    await settled()
    charts.at(-1)?.answer(week)
    await settled()
    expect(state()).toMatchObject({ kind: 'ready', chart: week })
  })
})
