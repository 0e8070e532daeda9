import type { WidgetView } from '../../db/view'
import type { Stroke } from './lines'

/*
 * The ratios that somebody has set, as level lines across the chart: alerts and checkpoints.
 */

/** Most important first: the first to get a place for its label. */
export const REFERENCE_KINDS = ['high', 'low', 'default', 'checkpoint'] as const
export type ReferenceKind = (typeof REFERENCE_KINDS)[number]

export interface Reference {
  readonly kind: ReferenceKind
  /** A ratio. */
  readonly value: number
}

export interface ReferenceStyle extends Stroke {
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
  checkpoint: {
    name: 'Other checkpoints',
    short: 'Others',
    label: '◇',
    token: '--chart-checkpoint',
    dash: [1, 4],
    width: 1.5,
  },
}

/** Most important first. */
export function referencesOf(widget: WidgetView): readonly Reference[] {
  const alert = (kind: 'high' | 'low', value: number | null): Reference[] => (value === null ? [] : [{ kind, value }])
  const checkpoints = widget.checkpoints.map(({ isDefault, ratio }): Reference => ({
    kind: isDefault ? 'default' : 'checkpoint',
    value: ratio,
  }))
  const all = [...alert('high', widget.highThreshold), ...alert('low', widget.lowThreshold), ...checkpoints]
  return REFERENCE_KINDS.flatMap((kind) => all.filter((reference) => reference.kind === kind))
}
