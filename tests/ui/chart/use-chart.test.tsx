import { act, renderHook, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { writeAggregated } from '../../../src/db/history-rows'
import { computeChart } from '../../../src/domain/chart'
import { MINUTE } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { livePricesOf } from '../../../src/domain/live-prices'
import { seriesFromPoints } from '../../../src/domain/series'
import { useChart } from '../../../src/features/chart/use-chart'
import { pricesAtom } from '../../../src/state/live-data'
import { ServicesContext } from '../../../src/state/services'
import type { ChartAnswer, ChartRequest } from '../../../workers/api'
import { pricesRow } from '../../support/price-row'
import { START, startLocalApp } from '../support/local-app'

const [BTC, ETH, SOL] = ['bitcoin', 'ethereum', 'solana'] as CoinId[] as [CoinId, CoinId, CoinId]
const POLL = START - 2 * MINUTE

const pricesAt = (time: number, usd: number) => pricesRow({ [BTC]: usd, [ETH]: 3 }, time)

/** The answer of a worker that has read these prices of the first coin. */
function answerTo({ period, now }: ChartRequest, row: ReturnType<typeof pricesAt>): ChartAnswer {
  const times = Float64Array.from({ length: 300 }, (_, i) => START - 3 * MINUTE - (299 - i) * 5 * MINUTE)
  const coin = (usd: number) => ({ fiveMinutely: { times, prices: times.map(() => usd) } })
  const result = computeChart({
    a: coin(60),
    b: coin(3),
    period,
    now,
    live: livePricesOf(row, BTC, ETH),
  })
  return result.kind === 'ready'
    ? { kind: 'ready', ...result.columns, fetchedAt: now, basis: 'period', hasCloses: false }
    : result
}

async function openChart() {
  let stored = pricesAt(POLL, 60)
  const chart = vi.fn((request: ChartRequest) => Promise.resolve(answerTo(request, stored)))
  const app = await startLocalApp({ chart })
  const poll = (seconds: number, usd: number) => {
    stored = pricesAt(POLL + seconds * 1_000, usd)
    act(() => app.store.set(pricesAtom, stored))
  }
  app.store.set(pricesAtom, stored)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Provider store={app.store}>
      <ServicesContext value={app.services}>{children}</ServicesContext>
    </Provider>
  )
  const hook = renderHook(() => useChart({ coinA: BTC, coinB: ETH }, '1d'), { wrapper })
  const ratio = () => {
    const { state } = hook.result.current
    return state.kind === 'ready' ? state.chart.ratio.at(-1) : state.kind
  }
  await waitFor(() => expect(ratio()).toBe(20))
  return { app, chart, poll, ratio, hook }
}

it('an open chart moves its last point with new prices, and ignores a poll without other prices of its pair', async () => {
  const { chart, poll, ratio } = await openChart()
  poll(0, 60)
  poll(2, 63)
  await waitFor(() => expect(ratio()).toBe(21), { timeout: 5_000 })
  poll(4, 66)
  await waitFor(() => expect(ratio()).toBe(22), { timeout: 5_000 })
  expect(chart).toHaveBeenCalledTimes(3)
})

it('an open chart is computed again each time the history of one of its coins is written', async () => {
  const { app, chart } = await openChart()
  const write = (coin: CoinId, price: number) =>
    writeAggregated(
      app.db,
      [{ coin, granularity: 'hourly', source: 'simulated', series: seriesFromPoints([[POLL, price]]) }],
      START,
    )
  await write(ETH, 1)
  await waitFor(() => expect(chart).toHaveBeenCalledTimes(2))
  await write(SOL, 1)
  await write(BTC, 1)
  await waitFor(() => expect(chart).toHaveBeenCalledTimes(3))
  await write(BTC, 2)
  await waitFor(() => expect(chart).toHaveBeenCalledTimes(4))
})

it('a closed chart starts no computation for new prices or for history requested before closing', async () => {
  const { app, chart, poll, hook } = await openChart()
  const asked: (() => void)[] = []
  app.answerCall('historical', () => new Promise((resolve) => asked.push(() => resolve({ ok: true, value: null }))))
  act(() => hook.result.current.refetch())
  expect(asked).toHaveLength(2)
  hook.unmount()
  asked.forEach((answer) => answer())
  poll(3_600, 63)
  await app.db.history.count()
  expect(chart).toHaveBeenCalledTimes(1)
})
