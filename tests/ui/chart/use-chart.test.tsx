import { act, renderHook, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { writeAggregated } from '../../../src/db/write-history'
import { computeChart } from '../../../src/domain/chart'
import { MINUTE } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { livePrices } from '../../../src/domain/live-prices'
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

/** What a worker answers that has read the prices of the first poll. */
function answerTo({ period, now }: ChartRequest): ChartAnswer {
  const times = Float64Array.from({ length: 300 }, (_, i) => START - 3 * MINUTE - (299 - i) * 5 * MINUTE)
  const coin = (usd: number) => ({ fiveMinutely: { times, prices: times.map(() => usd) } })
  const { prices, source } = pricesAt(POLL, 60)
  const result = computeChart({
    a: coin(60),
    b: coin(3),
    period,
    now,
    live: livePrices(prices[BTC], prices[ETH], source),
  })
  return result.kind === 'ready' ? { kind: 'ready', ...result.columns, fetchedAt: now } : result
}

async function openChart() {
  const chart = vi.fn((request: ChartRequest) => Promise.resolve(answerTo(request)))
  const app = await startLocalApp({ chart })
  app.store.set(pricesAtom, pricesAt(POLL, 60))
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
  return { app, chart, ratio, hook }
}

describe('open chart', () => {
  it('an open chart moves its last point with new prices, without asking the worker', async () => {
    const { app, chart, ratio } = await openChart()
    act(() => app.store.set(pricesAtom, pricesAt(POLL + 2_000, 63)))
    expect(ratio()).toBe(21)
    act(() => app.store.set(pricesAtom, pricesAt(POLL + 4_000, 66)))
    expect(ratio()).toBe(22)
    expect(chart).toHaveBeenCalledTimes(1)
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
    const { app, chart, hook } = await openChart()
    const asked: (() => void)[] = []
    app.services.engine.requestHistory = () => new Promise((resolve) => asked.push(resolve))
    act(() => hook.result.current.refetch())
    expect(asked).toHaveLength(2)
    hook.unmount()
    asked.forEach((answer) => answer())
    app.store.set(pricesAtom, pricesAt(POLL + 3_600_000, 63))
    await app.db.history.count()
    expect(chart).toHaveBeenCalledTimes(1)
  })
})
