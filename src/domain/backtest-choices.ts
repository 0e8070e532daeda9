import { DEFAULT_SWAP_COST } from './swap-cost'

/** The default of versions that stored it along with every other choice of the card. */
const FORMER_DEFAULT = 0.002

/** The backtest below a chart, as the user of this device last had it. */
export interface BacktestChoices {
  readonly isOpen: boolean
  /** The lines that the user has chosen; absent: none yet. */
  readonly swapAt?: 'thresholds' | 'bands'
  /** Share of the amount that each swap costs, as typed. */
  readonly cost?: number
  /** Swaps are marked on the chart. */
  readonly marks: boolean
  /** In rows of earlier versions, chosen or not: the share without the spread. */
  readonly fee?: number
}

/** The cost of a swap that the user has typed, else the default. */
export const swapCostOf = (choices: Pick<BacktestChoices, 'cost' | 'fee'> | undefined): number =>
  choices?.cost ?? (choices?.fee === undefined || choices.fee === FORMER_DEFAULT ? DEFAULT_SWAP_COST : choices.fee)
