import '../../../src/ui/tokens.css'
import { raceComputations, type ComputationTimes } from './computations'
import { raceJob } from './job'
import type { Size } from './market'
import { racePairs, radarCall } from './pairs'
import { stage } from './stage'
import { storedCharts } from './stored-charts'

const charts = await storedCharts()

const askRadar = await radarCall()

const api = {
  ...stage(charts),
  raceJob,
  racePairs,
  askRadar,
  raceComputations: (size: Size, rounds: number): ComputationTimes => raceComputations(charts[size][0], size, rounds),
}
/** Calls that the bench's page offers to the process that measures it. */
export type BenchApi = typeof api

declare global {
  // oxlint-disable-next-line no-var -- a global of the page
  var bench: BenchApi | undefined
}
globalThis.bench = api
