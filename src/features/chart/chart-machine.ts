import type { ChartAnswer } from '../../../workers/api'
import type { Period } from '../../domain/chart-periods'
import { type ChartEvent, type ChartState, initialChart, reduceChart } from './chart-state'

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

export interface ChartMachine {
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
