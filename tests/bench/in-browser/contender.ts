import type { Period } from '../../../src/domain/chart-periods'
import { LINES, type LineId } from '../../../src/features/chart/lines'
import type { ChartReady } from '../../../workers/api'

/** A chart that takes part; every one draws the same four lines with average and bands switched on. */
export interface Contender {
  /** Draws into an empty element of the chart's size. */
  open(host: HTMLElement, chart: ChartReady, period: Period): OpenChart
}

export interface OpenChart {
  /** Draws another chart in place of the first. */
  show(chart: ChartReady): void
  /** The middle half of the time axis, or all of it again. */
  zoom(to: 'half' | 'all'): void
  /** The last point moves with new prices. */
  movePoint(chart: ChartReady): void
  close(): void
}

/** CSS pixels of every chart. */
export const WIDTH = 1200
export const HEIGHT = 480

/** A line's look, alike for all: what the app's own stylesheet and lines say. */
export interface LineLook {
  readonly column: LineId
  /** #rrggbb */
  readonly color: string
  /** CSS pixels. */
  readonly width: number
  readonly dash: number[]
}

const tokens = getComputedStyle(document.documentElement)
export const LOOKS: readonly LineLook[] = LINES.map(({ id, token, width, dash }) => ({
  column: id,
  color: tokens.getPropertyValue(token).trim(),
  width,
  dash: [...dash],
}))
export const BAND_FILL = tokens.getPropertyValue('--chart-band-fill').trim()

/** First and last time of a chart and the middle half between them, milliseconds. */
export function windowsOf({ times }: ChartReady) {
  const min = times[0] ?? NaN
  const max = times[times.length - 1] ?? NaN
  const quarter = (max - min) / 4
  return { all: { min, max }, half: { min: min + quarter, max: max - quarter } }
}
