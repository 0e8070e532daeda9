import type { CoinId } from '../../domain/ids'
import type { Period } from '../../domain/period'
import type { ChartAnswer, ChartRequest, PairIds } from '../../../workers/api'
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
  /** Computes again from what is stored: new prices have come. Calls that come while it runs are one. */
  refresh(): void
  /** Asks the server again. */
  refetch(): void
  /** Starts nothing more until it is opened again. */
  close(): void
}

type Refreshing = 'no' | 'once' | 'again'

const PROCESSING_FAILED = 'Failed to process chart data'

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason))

/** Runs the computations and fetches of one pair's chart and tells the machine what came of them. */
export function chartSession(ports: ChartPorts, pair: PairIds, tell: (event: ChartEvent) => void): ChartSession {
  let open: { readonly period: Period; readonly selection: number } | null = null
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

  const compute = async (period: Period, selection: number, request: number) => {
    tell({ type: 'answered', selection, request, answer: await answerTo(period) })
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
    await compute(period, selection, readBy)
  }

  const refresh = async () => {
    do {
      refreshing = 'once'
      if (open !== null) await compute(open.period, open.selection, ports.nextNumber())
    } while ((refreshing as Refreshing) === 'again')
    refreshing = 'no'
  }

  return {
    open(period) {
      const selection = ports.nextNumber()
      open = { period, selection }
      tell({ type: 'chosen', selection, period })
      void compute(period, selection, ports.nextNumber())
      void fetchHistory(period, selection)
    },
    refresh() {
      if (refreshing === 'no') void refresh()
      else refreshing = 'again'
    },
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
