import { screen } from '@testing-library/react'
import { atom, useAtom } from 'jotai'
import { Screen } from '../../../src/app/screen'
import type { CoinId, WidgetId } from '../../../src/domain/ids'
import type { Period } from '../../../src/domain/chart-periods'
import { ChartScreen } from '../../../src/features/chart/chart-screen'
import type { ChartAnswer, ChartRequest, WorkerApi } from '../../../workers/api'
import { appWithPair } from '../support/app-with-pair'
import { START, type LocalApp } from '../support/local-app'
import { chartOf } from './charts'
import { historyResult } from './history-result'

export interface Opened {
  readonly app: LocalApp
  readonly id: WidgetId
  /** Selections that the chart passed to its parent, which then passes them back. */
  readonly periods: Period[]
  readonly closed: () => number
  readonly histories: { readonly coin: CoinId; readonly period: Period }[]
  /** The parent says something of its own. */
  readonly say: (period: Period) => void
}

interface World {
  readonly chart?: (request: ChartRequest) => Promise<ChartAnswer>
  readonly csv?: WorkerApi['csv']
  readonly requestHistory?: (coin: CoinId, period: Period) => Promise<void>
  readonly widget?: WidgetId
  /** The parent's first selection; null: none. */
  readonly period?: Period | null
}

/** BTC/ETH's chart on a local database; worker and server are what the test says. */
export async function openChart({
  chart,
  csv,
  requestHistory,
  widget,
  period: first = '7d',
}: World = {}): Promise<Opened> {
  const worker = { chart: chart ?? (() => Promise.resolve(chartOf([27, 28, 28.5], START))), ...(csv && { csv }) }
  const { app, id } = await appWithPair({ worker })
  const periods: Period[] = []
  const histories: Opened['histories'] = []
  let closed = 0
  const said = atom(first)
  app.answerCall('historical', ({ id: coin, period }) => {
    histories.push({ coin, period })
    return historyResult(requestHistory?.(coin, period) ?? Promise.resolve())
  })
  function Address() {
    const [period, setPeriod] = useAtom(said)
    const show = (next: Period) => {
      periods.push(next)
      setPeriod(next)
    }
    return (
      <Screen>
        <ChartScreen
          widgetId={widget ?? id}
          turnedAround={(coinA, coinB) => `/radar/${coinA}/${coinB}`}
          {...(period && { period })}
          onPeriod={show}
          onClose={() => (closed += 1)}
        />
      </Screen>
    )
  }
  app.render(<Address />)
  return {
    app,
    id,
    periods,
    histories,
    closed: () => closed,
    say: (period) => app.store.set(said, period),
  }
}

export const plot = () => screen.findByRole('slider', { name: 'BTC/ETH ratio by time' })
export const button = (name: string | RegExp) => screen.getByRole('button', { name }) as HTMLButtonElement
