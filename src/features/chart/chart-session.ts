import type { ChartAnswer, ChartRequest, PairIds } from '../../../workers/api'
import type { CallResult } from '../../db/call'
import type { Period } from '../../domain/chart-periods'
import type { CoinId } from '../../domain/ids'
import { type ChartEvent, type ChartState, initialChart, reduceChart } from './chart-state'

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

/** Runs a task again for every call that came after it began: one runs at a time, and none after `signal` has aborted. */
function oneAtATime(task: () => Promise<void>, signal: AbortSignal): () => Promise<void> {
  let isRunning = false
  /** Calls so far; a run has seen those that came before it began. */
  let calls = 0
  return async () => {
    calls += 1
    if (isRunning) return
    isRunning = true
    for (let seen = 0; !signal.aborted && seen < calls;) {
      seen = calls
      await task()
    }
    isRunning = false
  }
}

/** Calls `run` at once, then at most once in the spacing; the first spacing begins now. */
function spaced(run: () => void, spacing: number) {
  let pause: ReturnType<typeof setTimeout> | undefined
  let isBehind = false
  const startPause = () => {
    pause = setTimeout(() => {
      pause = undefined
      if (isBehind) call()
    }, spacing)
  }
  const call = () => {
    isBehind = pause !== undefined
    if (isBehind) return
    startPause()
    run()
  }
  startPause()
  return { call, end: () => clearTimeout(pause) }
}

/**
 * Shows the chart of one pair and period from what is stored, asks the server beside that, and tells the machine what
 * came. One computation runs at a time; changes that come meanwhile are one more.
 */
export function openChart(ports: ChartPorts, pair: PairIds, period: Period, machine: ChartMachine): ChartSession {
  const selection = machine.choose(period)
  const closing = new AbortController()
  const { signal } = closing

  const answer = async (): Promise<ChartAnswer> => {
    try {
      return await ports.chart({ ...pair, period, now: ports.now() })
    } catch (error) {
      // The worker's own sentences arrive as answers; a rejection is a defect, or a worker that died.
      reportError(error)
      return { kind: 'error', message: PROCESSING_FAILED }
    }
  }
  const compute = oneAtATime(async () => {
    const report = selection.begin()
    report(await answer())
  }, signal)

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

  const follow = spaced(() => void compute(), FOLLOW_SPACING_MS)
  void compute()
  void fetchHistory()
  return {
    follow() {
      if (!signal.aborted) follow.call()
    },
    refresh: () => void compute(),
    refetch() {
      if (signal.aborted) return
      selection.fetchStarted()
      void fetchHistory()
    },
    close() {
      closing.abort()
      follow.end()
    },
  }
}

/** One choice of a period, to which its computations and its fetch report. After another choice, reports change nothing. */
interface Selection {
  /** A computation begins; the caller reports its answer to the function returned. */
  readonly begin: () => (answer: ChartAnswer) => void
  readonly fetchStarted: () => void
  /** `failure`: the specification's sentence; null: both histories have come. */
  readonly fetchEnded: (failure: string | null) => void
  /** True while a computation that begins now could make the difference between a chart and none. */
  readonly lacksChart: () => boolean
}

interface ChartMachine {
  readonly state: () => ChartState
  /** Calls `listener` with every change of the state; returns the function that ends it. */
  readonly subscribe: (listener: () => void) => () => void
  readonly choose: (period: Period) => Selection
}

/** The machine of one chart screen. It alone makes the numbers of selections and requests. */
export function chartMachine(first: Period): ChartMachine {
  let state = initialChart(first)
  let begun = 0
  const listeners = new Set<() => void>()
  const dispatch = (event: ChartEvent) => {
    const next = reduceChart(state, event)
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    choose(period) {
      const selection = state.selection + 1
      dispatch({ kind: 'chosen', selection, period })
      return {
        begin() {
          const request = (begun += 1)
          return (answer) => dispatch({ kind: 'answered', selection, request, answer })
        },
        fetchStarted: () => dispatch({ kind: 'fetch-started', selection }),
        fetchEnded: (failure) => dispatch({ kind: 'fetch-ended', selection, readBy: begun + 1, failure }),
        lacksChart: () => state.selection === selection && state.kind !== 'ready',
      }
    },
  }
}
