import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CoinId } from '../../../src/domain/ids'
import type { Period } from '../../../src/domain/chart-periods'
import { chartMachine, openChart } from '../../../src/features/chart/chart-session'
import type { ChartAnswer, ChartRequest } from '../../../workers/api'
import { catchReports } from '../support/reports'
import { chartOf } from './charts'
import { historyResult } from './history-result'

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
  const machine = chartMachine('7d')
  const ports = {
    chart: (request: ChartRequest) => ask(charts, request),
    requestHistory: (coin: CoinId, period: Period) => historyResult(ask(histories, { coin, period })),
    now: () => 1000,
  }
  const pair = { coinA: 'bitcoin' as CoinId, coinB: 'ethereum' as CoinId }
  const open = (period: Period) => openChart(ports, pair, period, machine)
  return { charts, histories, open, state: machine.state }
}

const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve))
const week = chartOf([1, 2])
const missing: ChartAnswer = { kind: 'error', message: 'Chart data (thirtyMinutely) not available.' }

it('opening a chart starts a computation at once and requests the history of both coins at the same time', () => {
  const { charts, histories, open } = slowWorld()
  open('7d')
  expect(charts.map(({ what }) => what)).toEqual([{ coinA: 'bitcoin', coinB: 'ethereum', period: '7d', now: 1000 }])
  expect(histories.map(({ what }) => what)).toEqual([
    { coin: 'bitcoin', period: '7d' },
    { coin: 'ethereum', period: '7d' },
  ])
})

it('a chart without stored data is computed again once the histories of both coins are there', async () => {
  const { charts, histories, open, state } = slowWorld()
  open('7d')
  charts[0]?.answer(missing)
  histories[0]?.answer()
  await nextTask()
  expect(charts).toHaveLength(1)
  histories[1]?.answer()
  await nextTask()
  expect(charts).toHaveLength(2)
  charts[1]?.answer(week)
  await nextTask()
  expect(state()).toMatchObject({ kind: 'ready', chart: week, fetch: { kind: 'ended', failure: null } })
})

it('a shown chart is not computed again when its history requests end', async () => {
  const { charts, histories, open, state } = slowWorld()
  open('7d')
  charts[0]?.answer(week)
  await nextTask()
  histories.forEach(({ answer }) => answer())
  await nextTask()
  expect(charts).toHaveLength(1)
  expect(state()).toMatchObject({ kind: 'ready', chart: week, fetch: { kind: 'ended', failure: null } })
})

it('a chart shows its error with the reason of the failed history request when the server cannot help', async () => {
  const { charts, histories, open, state } = slowWorld()
  open('7d')
  charts[0]?.answer(missing)
  histories[0]?.answer()
  histories[1]?.fail(new Error('Error fetching history for ethereum (7d): Not Found'))
  await nextTask()
  charts[1]?.answer(missing)
  await nextTask()
  expect(state()).toMatchObject({
    kind: 'error',
    message: 'Chart data (thirtyMinutely) not available.',
    fetch: { failure: 'Error fetching history for ethereum (7d): Not Found' },
  })
})

it('a chart says that processing failed when the worker breaks, and the error is reported', async () => {
  const reports = catchReports()
  const { charts, histories, open, state } = slowWorld()
  open('7d')
  histories.forEach(({ answer }) => answer())
  await nextTask()
  for (const number of [0, 1]) {
    charts[number]?.fail(new Error('out of memory'))
    await nextTask()
  }
  expect(state()).toMatchObject({ kind: 'error', message: 'Failed to process chart data' })
  expect(reports).not.toEqual([])
})

it('slow answers for the period before neither overwrite the chart of the new period nor start a computation', async () => {
  const { charts, histories, open, state } = slowWorld()
  const before = open('7d')
  before.close()
  open('1d')
  const day = chartOf([9, 8])
  charts[1]?.answer(day)
  await nextTask()
  charts[0]?.answer(week)
  histories[0]?.answer()
  histories[1]?.answer()
  await nextTask()
  expect(state()).toMatchObject({ kind: 'ready', period: '1d', chart: day })
  // The fetch of the period before does not start a computation any more.
  expect(charts).toHaveLength(2)
})

describe('new prices', () => {
  const SECOND = 1_000
  const passing = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  /** A session whose chart stands and has rested since. */
  async function standing() {
    const world = slowWorld()
    const session = world.open('7d')
    world.charts[0]?.answer(week)
    await passing(SECOND)
    return { ...world, session }
  }

  it('new prices start a computation at once, and its answer is the chart', async () => {
    const { charts, session, state } = await standing()
    session.follow()
    expect(charts).toHaveLength(2)
    const moved = chartOf([1, 3])
    charts[1]?.answer(moved)
    await nextTask()
    expect(state()).toMatchObject({ kind: 'ready', chart: moved })
  })

  it('prices that come many times in a second start one computation at once and one a second later', async () => {
    const { charts, session } = await standing()
    for (let poll = 0; poll < 9; poll += 1) {
      session.follow()
      charts.at(-1)?.answer(week)
      await passing(SECOND / 10)
    }
    expect(charts).toHaveLength(2)
    await passing(SECOND / 10)
    expect(charts).toHaveLength(3)
    charts[2]?.answer(week)
    await passing(10 * SECOND)
    expect(charts).toHaveLength(3)
  })

  it('prices that come while a computation runs wait for its end, and are then one computation', async () => {
    const { charts, session } = await standing()
    session.follow()
    for (let poll = 0; poll < 5; poll += 1) {
      await passing(SECOND)
      session.follow()
    }
    expect(charts).toHaveLength(2)
    charts[1]?.answer(week)
    await nextTask()
    expect(charts).toHaveLength(3)
    charts[2]?.answer(week)
    await passing(10 * SECOND)
    expect(charts).toHaveLength(3)
  })

  it('prices that come in the second after a chart was opened are in the chart when that second has passed', async () => {
    const { charts, open } = slowWorld()
    const session = open('7d')
    charts[0]?.answer(week)
    await nextTask()
    session.follow()
    await passing(SECOND - 1)
    expect(charts).toHaveLength(1)
    await passing(1)
    expect(charts).toHaveLength(2)
  })

  it('a chart without data is computed again when prices come', async () => {
    const { charts, open, state } = slowWorld()
    const session = open('7d')
    charts[0]?.answer(missing)
    await passing(SECOND)
    session.follow()
    charts[1]?.answer(week)
    await nextTask()
    expect(state()).toMatchObject({ kind: 'ready', chart: week })
  })

  it('a closed chart starts no computation for prices, changed history or a new fetch', async () => {
    const { charts, histories, open } = slowWorld()
    const session = open('7d')
    session.follow()
    session.close()
    session.follow()
    session.refresh()
    session.refetch()
    await passing(10 * SECOND)
    charts[0]?.answer(missing)
    histories.forEach(({ answer }) => answer())
    await passing(10 * SECOND)
    expect(charts).toHaveLength(1)
    expect(histories).toHaveLength(2)
  })
})

it('changed history makes the chart follow, and many changes at once start one more computation', async () => {
  const { charts, open, state } = slowWorld()
  const session = open('7d')
  charts[0]?.answer(week)
  await nextTask()
  session.refresh()
  session.refresh()
  session.refresh()
  expect(charts).toHaveLength(2)
  const newer = chartOf([1, 2, 3])
  charts[1]?.answer(newer)
  await nextTask()
  expect(state()).toMatchObject({ kind: 'ready', chart: newer })
  expect(charts).toHaveLength(3)
  charts[2]?.answer(newer)
  await nextTask()
  expect(charts).toHaveLength(3)
  session.refresh()
  expect(charts).toHaveLength(4)
})

it('history that changes while the first computation runs is read by one more after it', async () => {
  const { charts, open, state } = slowWorld()
  const session = open('7d')
  session.refresh()
  session.refresh()
  expect(charts).toHaveLength(1)
  charts[0]?.answer(week)
  await nextTask()
  expect(state()).toMatchObject({ kind: 'ready', chart: week })
  const newer = chartOf([1, 2, 3])
  charts[1]?.answer(newer)
  await nextTask()
  expect(state()).toMatchObject({ kind: 'ready', chart: newer })
  expect(charts).toHaveLength(2)
})

it('fetching again takes a chart from its error back to loading and ends with the chart that came', async () => {
  const { charts, histories, open, state } = slowWorld()
  const session = open('7d')
  histories.forEach(({ fail }) => fail(new Error('down')))
  await nextTask()
  for (const number of [0, 1]) {
    charts[number]?.answer(missing)
    await nextTask()
  }
  expect(state().kind).toBe('error')
  session.refetch()
  expect(state().kind).toBe('loading')
  histories.forEach(({ answer }) => answer())
  await nextTask()
  charts.at(-1)?.answer(week)
  await nextTask()
  expect(state()).toMatchObject({ kind: 'ready', chart: week })
})
