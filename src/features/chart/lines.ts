/*
 * The chart's lines, told apart by dash and width as well as by colour; the legend draws the same samples.
 */

export type LineId = 'upper' | 'lower' | 'ema' | 'ratio'

/** How a line is drawn. */
export interface Stroke {
  /** Token of the colour (src/ui/tokens.css). */
  readonly token: string
  /** CSS pixels on and off; empty: a whole line. */
  readonly dash: readonly number[]
  /** CSS pixels. */
  readonly width: number
}

export interface LineStyle extends Stroke {
  readonly id: LineId
}

/** In the order they are drawn and stand in the data. */
export const LINES: readonly LineStyle[] = [
  { id: 'upper', token: '--chart-band', dash: [2, 3], width: 1.5 },
  { id: 'lower', token: '--chart-band', dash: [7, 3, 2, 3], width: 1.5 },
  { id: 'ema', token: '--chart-ema', dash: [9, 5], width: 1.5 },
  { id: 'ratio', token: '--chart-ratio', dash: [], width: 2 },
]

/** In the order in which they are listed and read out. */
export const LINES_AS_READ: readonly LineId[] = ['ratio', 'ema', 'upper', 'lower']

export function strokeOf(id: LineId): Stroke {
  const line = LINES.find((candidate) => candidate.id === id)
  if (line === undefined) throw new Error(`No such line: ${id}`)
  return line
}

/** Its place among uPlot's series and columns; 0 is time. */
export const seriesOf = (id: LineId): number => 1 + LINES.findIndex((line) => line.id === id)

/** What a line is called in the legend and beside the crosshair. */
export function lineName(id: LineId, averageLabel: string): string {
  switch (id) {
    case 'upper':
      return 'Upper band'
    case 'lower':
      return 'Lower band'
    case 'ema':
      return averageLabel
    case 'ratio':
      return 'Ratio'
  }
}

export interface Toggles {
  readonly average: boolean
  readonly bands: boolean
}

export function isLineShown(id: LineId, toggles: Toggles): boolean {
  switch (id) {
    case 'upper':
    case 'lower':
      return toggles.bands
    case 'ema':
      return toggles.average
    case 'ratio':
      return true
  }
}

/** "EMA (1d Target)": the moving-average window that the period aims at, in days. */
export const averageLabel = (averageDays: number): string => `EMA (${averageDays}d Target)`
