import type { ChartAnswer, ChartRequest, PairIds } from '../../../workers/api'
import type { CallResult } from '../../db/call'
import type { CoinId } from '../../domain/ids'
import type { Period } from '../../domain/chart-periods'
import type { ChartMachine } from './chart-machine'

/** The worker and the server, as an open chart asks them. */
interface ChartPorts {
  readonly chart: (request: ChartRequest) => Promise<ChartAnswer>
  /** A failure's message is the specification's sentence. */
  readonly requestHistory: (coin: CoinId, period: Period) => Promise<CallResult>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export interface ChartSession {
  /** New prices are stored: the chart is computed again, at most once in a second. */
  follow(): void
  /** The stored history has changed: the chart is computed again. */
  refresh(): void
  /** Asks the server again. */
  refetch(): void
  /** Starts nothing more. */
  close(): void
}

/** Milliseconds between two computations for new prices. */
const FOLLOW_SPACING_MS = 1000

const PROCESSING_FAILED = 'Failed to process chart data'

/**
 * Shows the chart of one pair and period from what is stored, asks the server beside that, and tells the machine what
 * came. One computation runs at a time; changes that come meanwhile are one more.
 */
export function openChart(ports: ChartPorts, pair: PairIds, period: Period, machine: ChartMachine): ChartSession {
  const selection = machine.choose(period)
  const closing = new AbortController()
  const { signal } = closing
  let isComputing = false
  /** Reasons to compute so far; a computation has seen those that came before it began. */
  let changes = 0
  /** Runs for the spacing after each computation for new prices, and after the first. */
  let pause: ReturnType<typeof setTimeout> | undefined
  let isBehind = false

  const answer = async (): Promise<ChartAnswer> => {
    try {
      return await ports.chart({ ...pair, period, now: ports.now() })
    } catch (error) {
      // The worker's own sentences arrive as answers; a rejection is a defect, or a worker that died.
      reportError(error)
      return { kind: 'error', message: PROCESSING_FAILED }
    }
  }

  const compute = async () => {
    changes += 1
    if (isComputing) return
    isComputing = true
    for (let seen = 0; !signal.aborted && seen < changes;) {
      seen = changes
      const report = selection.begin()
      report(await answer())
    }
    isComputing = false
  }

  const fetchHistory = async () => {
    const results = await Promise.all([
      ports.requestHistory(pair.coinA, period),
      ports.requestHistory(pair.coinB, period),
    ])
    if (signal.aborted) return
    selection.fetchEnded(results.find((result) => !result.ok)?.message ?? null)
    // A chart that stands hears of what was stored by `refresh`, and often nothing was.
    if (selection.lacksChart()) await compute()
  }

  const startPause = () => {
    pause = setTimeout(() => {
      pause = undefined
      if (isBehind) follow()
    }, FOLLOW_SPACING_MS)
  }
  const follow = () => {
    isBehind = pause !== undefined
    if (isBehind || signal.aborted) return
    startPause()
    void compute()
  }

  startPause()
  void compute()
  void fetchHistory()
  return {
    follow,
    refresh: () => void compute(),
    refetch() {
      if (signal.aborted) return
      selection.fetchStarted()
      void fetchHistory()
    },
    close() {
      closing.abort()
      clearTimeout(pause)
    },
  }
}
