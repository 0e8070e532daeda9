import type { HistoryRow } from './rows'

/** Columns of equal length; anything else was not written by this version of the app. */
export const isSound = ({ times, prices }: HistoryRow): boolean =>
  times instanceof Float64Array && prices instanceof Float64Array && times.length === prices.length
