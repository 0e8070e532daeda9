import { screen } from '@testing-library/react'
import { atom, useAtom } from 'jotai'
import { FedScreen } from '../../../src/app/screen'
import type { CoinId, WidgetId } from '../../../src/domain/ids'
import type { Period } from '../../../src/domain/period'
import { ChartScreen } from '../../../src/features/chart/chart-screen'
import { ServicesContext } from '../../../src/state/services'
import type { ChartAnswer, ChartRequest, WorkerApi } from '../../../workers/api'
import { appWithPair } from '../support/app-with-pair'
import { START, type LocalApp } from '../support/local-app'
import { chartOf } from './charts'

export interface Opened {
  readonly app: LocalApp
  readonly id: WidgetId
  /** What the chart told its parent, which then says the same. */
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
  /** What the parent says at first; null: nothing. */
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
  const engine = {
    ...app.services.engine,
    requestHistory: (coin: CoinId, period: Period) => {
      histories.push({ coin, period })
      return requestHistory?.(coin, period) ?? Promise.resolve()
    },
  }
  const services = { ...app.services, engine }
  function Address() {
    const [period, setPeriod] = useAtom(said)
    const show = (next: Period) => {
      periods.push(next)
      setPeriod(next)
    }
    return (
      <FedScreen>
        <ChartScreen
          widgetId={widget ?? id}
          {...(period && { period })}
          onPeriod={show}
          onClose={() => (closed += 1)}
        />
      </FedScreen>
    )
  }
  app.render(
    <ServicesContext value={services}>
      <Address />
    </ServicesContext>,
  )
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
