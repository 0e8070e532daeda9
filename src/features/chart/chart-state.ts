import type { ChartAnswer, ChartReady } from '../../../workers/api'
import type { Period } from '../../domain/chart-periods'

/*
 * The chart screen's states, as one machine. Two things run side by side for each choice of a period: computations
 * (numbered; each reads what is stored when it starts) and one fetch of both coins' history.
 *
 *   chosen ──> loading ──answered with a chart of the period's data──> ready ──answered (prices, history)──> ready
 *                 │                                                      ▲
 *                 ├─answered with a part of it─> preliminary ────────────┤
 *                 └─answered without a chart─> loading                   │
 *                       until the fetch has ended and a computation      │
 *                       has read its result ─────────────────────────────┴──> empty | error ──retry──> loading
 *
 * A chart stays preliminary where the fetch has failed: its line is shown, and nothing is reckoned from it.
 */

type Lacking = Exclude<ChartAnswer, ChartReady>

interface ShownChart {
  readonly period: Period
  readonly chart: ChartReady
}

type Fetch =
  | { readonly kind: 'under-way' }
  | {
      readonly kind: 'ended'
      /** The computation that reads what the fetch stored; of earlier ones only a chart counts. */
      readonly readBy: number
      /** The specification's sentence where a coin's history could not be had. */
      readonly failure: string | null
    }

interface Run {
  readonly period: Period
  /** Number of the choice of a period; they rise, and what belongs to an earlier choice is ignored. */
  readonly selection: number
  /** Number of the newest computation whose answer was used; they rise too. 0: none yet. */
  readonly applied: number
  readonly fetch: Fetch
}

export type ChartState =
  | (Run & {
      readonly kind: 'loading'
      /** The chart that stood here before, to be shown dimmed: the frame stays. */
      readonly before: ShownChart | null
      /** The newest computation's answer, which had no chart; null while it has not answered. */
      readonly lacking: Lacking | null
    })
  | (Run & { readonly kind: 'preliminary'; readonly chart: ChartReady })
  | (Run & { readonly kind: 'ready'; readonly chart: ChartReady })
  | (Run & { readonly kind: 'empty' })
  | (Run & { readonly kind: 'error'; readonly message: string })

export type ChartEvent =
  | { readonly kind: 'chosen'; readonly selection: number; readonly period: Period }
  | { readonly kind: 'answered'; readonly selection: number; readonly request: number; readonly answer: ChartAnswer }
  | { readonly kind: 'fetch-started'; readonly selection: number }
  | {
      readonly kind: 'fetch-ended'
      readonly selection: number
      readonly readBy: number
      readonly failure: string | null
    }

const UNDER_WAY: Fetch = { kind: 'under-way' }

const startLoading = (period: Period, selection: number, before: ShownChart | null): ChartState => ({
  kind: 'loading',
  period,
  selection,
  applied: 0,
  fetch: UNDER_WAY,
  before,
  lacking: null,
})

export const initialChart = (period: Period): ChartState => startLoading(period, 0, null)

/** The chart on the screen: the period's, or while loading the one before it. */
export function shownChart(state: ChartState): ShownChart | null {
  if (state.kind === 'ready' || state.kind === 'preliminary') return { period: state.period, chart: state.chart }
  return state.kind === 'loading' ? state.before : null
}

const runOf = ({ period, selection, applied, fetch }: ChartState): Run => ({ period, selection, applied, fetch })

const finishLoading = (run: Run, answer: Lacking): ChartState =>
  answer.kind === 'empty' ? { ...run, kind: 'empty' } : { ...run, kind: 'error', message: answer.message }

/** True if the chart stands on all that there is for its period: the server has given the rest, or a year has its daily closes. */
function isWhole({ basis }: ChartReady, request: number, { fetch }: Run): boolean {
  if (basis === 'period' || fetch.kind === 'under-way') return basis === 'period'
  return request >= fetch.readBy && (fetch.failure === null || basis === 'closes')
}

function answered(state: ChartState, request: number, answer: ChartAnswer): ChartState {
  if (request <= state.applied) return state
  const run: Run = { ...runOf(state), applied: request }
  if (answer.kind === 'ready') {
    // A chart that was whole goes on being it while the server is asked again.
    const isReady = state.kind === 'ready' || isWhole(answer, request, run)
    return { ...run, kind: isReady ? 'ready' : 'preliminary', chart: answer }
  }
  const final = run.fetch.kind === 'ended' && request >= run.fetch.readBy
  return final ? finishLoading(run, answer) : { ...run, kind: 'loading', before: shownChart(state), lacking: answer }
}

function fetchStarted(state: ChartState): ChartState {
  if (state.kind !== 'empty' && state.kind !== 'error') return { ...state, fetch: UNDER_WAY }
  const lacking: Lacking = state.kind === 'empty' ? { kind: 'empty' } : { kind: 'error', message: state.message }
  return { ...runOf(state), fetch: UNDER_WAY, kind: 'loading', before: null, lacking }
}

export function reduceChart(state: ChartState, event: ChartEvent): ChartState {
  if (event.kind === 'chosen') {
    if (event.selection <= state.selection) return state
    return startLoading(event.period, event.selection, shownChart(state))
  }
  if (event.selection !== state.selection) return state
  switch (event.kind) {
    case 'answered':
      return answered(state, event.request, event.answer)
    case 'fetch-started':
      return fetchStarted(state)
    case 'fetch-ended': {
      const fetch: Fetch = { kind: 'ended', readBy: event.readBy, failure: event.failure }
      return state.kind === 'loading' ? { ...state, fetch, lacking: null } : { ...state, fetch }
    }
  }
}

/** True while the server, or a computation, may still bring what the shown chart lacks. */
export const isAwaited = ({ kind, fetch }: ChartState): boolean =>
  kind === 'loading' || (kind === 'preliminary' && fetch.kind === 'under-way')

/** `processing`: a computation has not answered; `fetching`: what is stored is not enough, the server is asked. */
export const loadingStage = (
  state: Extract<ChartState, { kind: 'loading' | 'preliminary' }>,
): 'processing' | 'fetching' => (state.kind === 'loading' && state.lacking === null ? 'processing' : 'fetching')
