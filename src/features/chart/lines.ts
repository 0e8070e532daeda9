import type { WidgetView } from '../../db/view'
import { ALERT_SIDES, SIDES, type Thresholds, thresholdsOf } from '../../domain/alerts'

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

/** In the order of drawing and of the data's columns. */
export const LINES: readonly (Stroke & { readonly id: LineId })[] = [
  { id: 'upper', token: '--chart-band', dash: [2, 3], width: 1.5 },
  { id: 'lower', token: '--chart-band', dash: [7, 3, 2, 3], width: 1.5 },
  { id: 'ema', token: '--chart-ema', dash: [9, 5], width: 1.5 },
  { id: 'ratio', token: '--chart-ratio', dash: [], width: 2 },
]

/** In the order of the legend and the table. */
export const LINES_AS_READ: readonly LineId[] = ['ratio', 'ema', 'upper', 'lower']

export const strokeOf = (id: LineId): Stroke => LINES.find((line) => line.id === id)!

/** A line's place among uPlot's series and columns; 0 is time. */
export const seriesOf = (id: LineId): number => 1 + LINES.findIndex((line) => line.id === id)

const LINE_NAMES = { upper: 'Upper band', lower: 'Lower band', ratio: 'Ratio' } as const

/** A line's name in the legend and beside the crosshair. */
export const lineName = (id: LineId, averageLabel: string): string => (id === 'ema' ? averageLabel : LINE_NAMES[id])

export interface Toggles {
  readonly average: boolean
  readonly bands: boolean
}

export const isLineShown = (id: LineId, { average, bands }: Toggles): boolean =>
  id === 'ratio' || (id === 'ema' ? average : bands)

/** "EMA (1d Target)": the moving-average window that the period aims at, in days. */
export const averageLabel = (averageDays: number): string => `EMA (${averageDays}d Target)`

/**
 * Level lines: the ratios that the user has set, and the average and its deviations that the page speaks of. Most important
 * first: the first to get a place for its label.
 */
export const REFERENCE_KINDS = [...ALERT_SIDES, 'default', 'average', 'deviation', 'checkpoint'] as const
type ReferenceKind = (typeof REFERENCE_KINDS)[number]

export interface Reference {
  readonly kind: ReferenceKind
  /** Ratio. */
  readonly value: number
  /** On the line, instead of the kind's. */
  readonly label?: string
}

interface ReferenceStyle extends Stroke {
  /** In the legend, and the same where room is short. */
  readonly name: string
  readonly short: string
  /** On the line itself, before its value. */
  readonly label: string
}

export const REFERENCE_STYLES: Readonly<Record<ReferenceKind, ReferenceStyle>> = {
  high: {
    name: 'High alert',
    short: 'High',
    label: 'High',
    token: '--chart-high',
    dash: [12, 3, 2, 3, 2, 3],
    width: 1.5,
  },
  low: { name: 'Low alert', short: 'Low', label: 'Low', token: '--chart-low', dash: [4, 6], width: 1.5 },
  default: {
    name: 'Default checkpoint',
    short: 'Checkpoint',
    label: '◆',
    token: '--chart-checkpoint',
    dash: [6, 2],
    width: 2,
  },
  average: { name: 'Average', short: 'Average', label: 'Average', token: '--chart-axis', dash: [16, 4], width: 1 },
  deviation: {
    name: 'Two deviations from it',
    short: '2 deviations',
    label: '',
    token: '--chart-axis',
    dash: [3, 3],
    width: 1,
  },
  checkpoint: {
    name: 'Other checkpoints',
    short: 'Others',
    label: '◇',
    token: '--chart-checkpoint',
    dash: [1, 4],
    width: 1.5,
  },
}

export const referencesInOrder = (references: readonly Reference[]): readonly Reference[] =>
  REFERENCE_KINDS.flatMap((kind) => references.filter((reference) => reference.kind === kind))

/** Most important first. */
export function referencesOf(widget: WidgetView): readonly Reference[] {
  const checkpoints = widget.checkpoints.map(({ isDefault, ratio }): Reference => ({
    kind: isDefault ? 'default' : 'checkpoint',
    value: ratio,
  }))
  return referencesInOrder([...linesOf(thresholdsOf(widget.alerts)), ...checkpoints])
}

const linesOf = (thresholds: Thresholds): readonly Reference[] =>
  ALERT_SIDES.flatMap((kind) => {
    const value = thresholds[kind]
    return value === null ? [] : [{ kind, value }]
  })

/** The references with the thresholds that the user sees, where one of them is being moved. */
export function withThresholds(
  references: readonly Reference[],
  moves: { readonly moved: object | null; readonly thresholds: Thresholds } | null,
): readonly Reference[] {
  if (moves === null || moves.moved === null) return references
  return [...linesOf(moves.thresholds), ...references.filter(({ kind }) => !(kind in SIDES))]
}
