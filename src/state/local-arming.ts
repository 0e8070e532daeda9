import { atom } from 'jotai'
import type { WidgetView } from '../db/view'
import type { AlertSide, Armed, Thresholds } from '../domain/alerts'

/** What this device's own checks have made of a widget's arming since that was last said. */
export interface LocalArming {
  /** `saidOf` the widget when the checks began; another value makes this obsolete. */
  readonly said: string
  readonly armed: Armed
  /** Numbers of the present armings: what is armed again here has the next one, as it has on the server. */
  readonly epochs: Readonly<Record<AlertSide, number>>
  /** Milliseconds: when this device learned of it. A price from before may be what the server has armed it after. */
  readonly since: number
}

/**
 * By widget key. Never sent: the server alone changes the flags it keeps, and it may see a crossing later than we do, or
 * one that we slept through.
 */
export const localArmingAtom = atom<ReadonlyMap<string, LocalArming>>(new Map())

export const thresholdsOf = (widget: WidgetView): Thresholds => ({
  high: widget.highThreshold,
  low: widget.lowThreshold,
})

const flagsOf = (widget: WidgetView): Armed => ({
  high: widget.highThresholdActive,
  low: widget.lowThresholdActive,
})

/** Everything that starts the checks of a widget anew, in one comparable value. */
export const saidOf = (widget: WidgetView): string =>
  [
    [widget.highThreshold, widget.highThresholdActive, widget.highEpoch],
    [widget.lowThreshold, widget.lowThresholdActive, widget.lowEpoch],
  ].join()

/**
 * Before any check: what was said.
 * @param since milliseconds, now
 */
export const localArming = (widget: WidgetView, since: number): LocalArming => ({
  said: saidOf(widget),
  armed: flagsOf(widget),
  epochs: { high: widget.highEpoch, low: widget.lowEpoch },
  since,
})

/** Whether a widget's sides are armed as far as this device can tell. */
export function armedNow(known: ReadonlyMap<string, LocalArming>, widget: WidgetView): Armed {
  const local = known.get(widget.key)
  return local?.said === saidOf(widget) ? local.armed : flagsOf(widget)
}
