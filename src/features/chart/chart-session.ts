import { extendChart } from '../../domain/extend-chart'
import type { CoinId } from '../../domain/ids'
import type { LivePrices } from '../../domain/live-prices'
import type { Period } from '../../domain/period'
import type { ChartAnswer, ChartReady, ChartRequest, PairIds } from '../../../workers/api'
import type { ChartEvent } from './chart-machine'

/** What a session needs from outside. */
export interface ChartPorts {
  readonly chart: (request: ChartRequest) => Promise<ChartAnswer>
  /** Rejects with the specification's sentence as message. */
  readonly requestHistory: (coin: CoinId, period: Period) => Promise<void>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Rises with every call, over all sessions that tell one machine. */
  readonly nextNumber: () => number
}

export interface ChartSession {
  /** Shows what is stored at once and asks the server beside that. */
  open(period: Period): void
  /** The newest prices; null: not both are known. The last point moves, or else the chart is computed again. */
  follow(live: LivePrices | null): void
  /** Computes again, since the stored history has changed. Calls that come while it runs are one. */
  refresh(): void
  /** Asks the server again. */
  refetch(): void
  /** Starts nothing more until it is opened again. */
  close(): void
}

type Refreshing = 'no' | 'once' | 'again'

const PROCESSING_FAILED = 'Failed to process chart data'

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason))

const samePrices = (one: LivePrices | null, other: LivePrices | null): boolean =>
  one?.time === other?.time &&
  one?.priceA === other?.priceA &&
  one?.priceB === other?.priceB &&
  one?.source === other?.source

/** Runs the computations and fetches of one pair's chart and tells the machine what came of them. */
export function chartSession(ports: ChartPorts, pair: PairIds, tell: (event: ChartEvent) => void): ChartSession {
  let open: { readonly period: Period; readonly selection: number } | null = null
  let live: LivePrices | null = null
  /** What the newest computation of the open period gave; null: none has answered. */
  let newest: { readonly request: number; readonly chart: ChartReady | null } | null = null
  let refreshing: Refreshing = 'no'

  const answerTo = async (period: Period): Promise<ChartAnswer> => {
    try {
      return await ports.chart({ ...pair, period, now: ports.now() })
    } catch (error) {
      // The worker's own sentences arrive as answers; a rejection is a defect, or a worker that died.
      reportError(error)
      return { kind: 'error', message: PROCESSING_FAILED }
    }
  }

  /** Prices that came while a chart was computed from those before them. */
  const caughtUp = (chart: ChartReady, begunWith: LivePrices | null): ChartReady => {
    if (live === null || live.time <= (chart.times.at(-1) ?? Infinity)) return chart
    const extended = extendChart(chart, live, ports.now())
    // A computation that began with them will have read them.
    if (extended === null && live !== begunWith) startRefresh()
    return extended ?? chart
  }

  const compute = async (period: Period, selection: number, request: number) => {
    const begunWith = live
    const answer = await answerTo(period)
    if (open?.selection !== selection || request <= (newest?.request ?? 0)) return
    const chart = answer.kind === 'ready' ? caughtUp(answer, begunWith) : null
    newest = { request, chart }
    tell({ type: 'answered', selection, request, answer: chart ?? answer })
  }

  const fetchHistory = async (period: Period, selection: number) => {
    const results = await Promise.allSettled([
      ports.requestHistory(pair.coinA, period),
      ports.requestHistory(pair.coinB, period),
    ])
    if (open?.selection !== selection) return
    const failed = results.find((result) => result.status === 'rejected')
    const readBy = ports.nextNumber()
    const failure = failed === undefined ? null : messageOf(failed.reason)
    tell({ type: 'fetch-ended', selection, readBy, failure })
    // A chart that stands hears of what was stored by `refresh`, and often nothing was.
    if (newest === null || newest.chart === null) await compute(period, selection, readBy)
  }

  const refresh = async () => {
    do {
      refreshing = 'once'
      if (open !== null) await compute(open.period, open.selection, ports.nextNumber())
    } while ((refreshing as Refreshing) === 'again')
    refreshing = 'no'
  }

  const startRefresh = () => {
    if (refreshing === 'no') void refresh()
    else refreshing = 'again'
  }

  return {
    open(period) {
      const selection = ports.nextNumber()
      open = { period, selection }
      newest = null
      tell({ type: 'chosen', selection, period })
      void compute(period, selection, ports.nextNumber())
      void fetchHistory(period, selection)
    },
    follow(given) {
      if (samePrices(given, live)) return
      live = given
      // The first answer will catch up with them.
      if (open === null || newest === null) return
      const { request, chart } = newest
      const extended = chart === null || live === null ? null : extendChart(chart, live, ports.now())
      if (extended === null) startRefresh()
      else tell({ type: 'extended', selection: open.selection, request, chart: extended })
    },
    refresh: startRefresh,
    refetch() {
      if (open === null) return
      tell({ type: 'fetch-started', selection: open.selection })
      void fetchHistory(open.period, open.selection)
    },
    close() {
      open = null
    },
  }
}
