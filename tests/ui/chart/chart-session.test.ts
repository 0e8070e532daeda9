import { afterEach, describe, expect, it, vi } from 'vitest'
import { computeChart } from '../../../src/domain/chart'
import { MINUTE } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import type { LivePrices } from '../../../src/domain/live-prices'
import type { Period } from '../../../src/domain/period'
import { initialChart, reduceChart, type ChartState } from '../../../src/features/chart/chart-machine'
import { chartSession } from '../../../src/features/chart/chart-session'
import type { ChartAnswer, ChartReady, ChartRequest } from '../../../workers/api'
import { chartOf } from './charts'

interface Asked<T, R> {
  readonly what: T
  readonly answer: (value: R) => void
  readonly fail: (reason: Error) => void
}

const START = Date.UTC(2026, 10, 20, 12)

/** A worker and a server that answer when and as the test says. */
function slowWorld(now = 1000) {
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
      now: () => now,
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

describe('opening a chart session', () => {
  it('opening a chart starts a computation at once and requests the history of both coins at the same time', () => {
    const { charts, histories, session } = slowWorld()
    session.open('7d')
    expect(charts.map(({ what }) => what)).toEqual([{ coinA: 'bitcoin', coinB: 'ethereum', period: '7d', now: 1000 }])
    expect(histories.map(({ what }) => what)).toEqual([
      { coin: 'bitcoin', period: '7d' },
      { coin: 'ethereum', period: '7d' },
    ])
  })

  it('a chart without stored data is computed again once the histories of both coins are there', async () => {
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

  it('a shown chart is not computed again when its history requests end', async () => {
    const { charts, histories, session, state } = slowWorld()
    session.open('7d')
    charts[0]?.answer(week)
    await settled()
    histories.forEach(({ answer }) => answer())
    await settled()
    expect(charts).toHaveLength(1)
    expect(state()).toMatchObject({ kind: 'ready', chart: week, fetch: { kind: 'ended', failure: null } })
  })

  it('a chart shows its error with the reason of the failed history request when the server cannot help', async () => {
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

  it('a chart says that processing failed when the worker breaks, and the error is reported', async () => {
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
  it('slow answers for the period before neither overwrite the chart of the new period nor start a computation', async () => {
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

const NOW = START + 299 * 5 * MINUTE - MINUTE
const poll = (seconds: number, priceA: number): LivePrices => ({
  time: NOW + seconds * 1000,
  priceA,
  priceB: 3,
  source: 'simulated',
})
/** A day of a pair at 20, as the worker has it from the poll at NOW; its history is a minute ahead. */
const dayAt20 = (): ChartReady => {
  const times = Float64Array.from({ length: 300 }, (_, i) => START + i * 5 * MINUTE)
  const coin = (usd: number) => ({ fiveMinutely: { times, prices: times.map(() => usd) } })
  const result = computeChart({ a: coin(60), b: coin(3), period: '1d', now: NOW + MINUTE, live: poll(0, 60) })
  if (result.kind !== 'ready') throw new Error(result.kind)
  return { kind: 'ready', ...result.columns, fetchedAt: NOW }
}
/** A session whose chart stands, computed from the given prices. */
async function standingAt20(prices: LivePrices = poll(0, 60)) {
  const world = slowWorld(NOW + MINUTE)
  world.session.follow(prices)
  world.session.open('1d')
  world.charts[0]?.answer(dayAt20())
  await settled()
  return world
}
const lastRatio = (state: ChartState) => (state.kind === 'ready' ? state.chart.ratio.at(-1) : null)

describe('new prices', () => {
  it('new prices move the last point of the chart without the worker', async () => {
    const { charts, session, state } = await standingAt20()
    session.follow(poll(2, 63))
    expect(lastRatio(state())).toBe(21)
    session.follow(poll(4, 66))
    expect(lastRatio(state())).toBe(22)
    expect(charts).toHaveLength(1)
  })

  it('prices that come before the first computation answers start none, and move the last point of its chart', async () => {
    const { charts, session, state } = slowWorld(NOW + MINUTE)
    session.open('1d')
    charts[0]?.answer(dayAt20())
    await settled()
    session.open('1d')
    session.follow(poll(1_800, 63))
    session.follow(poll(2, 63))
    expect(charts).toHaveLength(2)
    charts[1]?.answer(dayAt20())
    await settled()
    expect(lastRatio(state())).toBe(21)
    expect(charts).toHaveLength(2)
  })

  it('prices that are the same as before leave the chart state unchanged', async () => {
    const { session, state } = await standingAt20()
    session.follow(poll(2, 63))
    const before = state()
    session.follow(poll(2, 63))
    expect(state()).toBe(before)
  })

  it('prices that came while a computation ran are kept when the computation answers with older prices', async () => {
    const { charts, session, state } = await standingAt20()
    session.refresh()
    session.follow(poll(2, 63))
    expect(lastRatio(state())).toBe(21)
    charts[1]?.answer(dayAt20())
    await settled()
    expect(lastRatio(state())).toBe(21)
    expect(charts).toHaveLength(2)
  })

  it('prices that have no place in the answer of a computation start one more computation, and only one', async () => {
    const { charts, session } = await standingAt20()
    session.refresh()
    session.follow(poll(2, 63))
    charts[1]?.answer({ ...dayAt20(), live: null })
    await settled()
    expect(charts).toHaveLength(3)
    charts[2]?.answer({ ...dayAt20(), live: null })
    await settled()
    expect(charts).toHaveLength(3)
  })

  it('prices older than those that the worker has read do not take the chart back', async () => {
    const { charts, state } = await standingAt20(poll(-2, 63))
    expect(lastRatio(state())).toBe(20)
    expect(charts).toHaveLength(1)
  })

  it('several prices in a row that have no place in the chart start one computation, and one more after its answer', async () => {
    const { charts, session, state } = await standingAt20()
    // Half an hour on, points have left the chart at its other end.
    session.follow(poll(1_800, 63))
    session.follow(poll(1_801, 66))
    session.follow(poll(1_802, 69))
    expect(charts).toHaveLength(2)
    expect(lastRatio(state())).toBe(20)
    charts[1]?.answer(dayAt20())
    await settled()
    expect(charts).toHaveLength(3)
    charts[2]?.answer(dayAt20())
    await settled()
    expect(charts).toHaveLength(3)
  })

  it('a chart without data is computed again when prices come, and when they go missing', async () => {
    const { charts, session } = slowWorld(NOW + MINUTE)
    session.open('1d')
    charts[0]?.answer(missing)
    await settled()
    session.follow(poll(0, 60))
    expect(charts).toHaveLength(2)
    session.follow(null)
    charts[1]?.answer(dayAt20())
    await settled()
    expect(charts).toHaveLength(3)
  })

  it('a closed chart starts no computation for prices, changed history or a new fetch', async () => {
    const { charts, session } = slowWorld(NOW + MINUTE)
    session.open('1d')
    session.close()
    session.follow(poll(0, 60))
    session.refresh()
    session.refetch()
    await settled()
    expect(charts).toHaveLength(1)
  })
})

describe('changed history', () => {
  it('changed history makes the chart follow, and many changes at once start one more computation', async () => {
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

  it('a late answer of an older computation does not replace the newest chart, which goes on following prices', async () => {
    const { charts, session, state } = slowWorld(NOW + MINUTE)
    session.open('1d')
    session.refresh()
    charts[1]?.answer(dayAt20())
    await settled()
    charts[0]?.answer(week)
    await settled()
    expect(lastRatio(state())).toBe(20)
    session.follow(poll(2, 63))
    expect(lastRatio(state())).toBe(21)
  })
})

describe('fetching again', () => {
  it('fetching again takes a chart from its error back to loading and ends with the chart that came', async () => {
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
