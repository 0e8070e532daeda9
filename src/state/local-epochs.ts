import { atom } from 'jotai'
import type { AlertsView, WidgetView } from '../db/view'
import { type Armed, armedOf } from '../domain/alerts'
import { boardAtom } from './live-data'
import { isEqual } from './keep-identity'

/** True if the app checks the widget's thresholds: its alerts are on, and the tier lets it be active. */
export const isWatched = ({ isActive, notificationsEnabled }: WidgetView): boolean => isActive && notificationsEnabled

/** How many pairs are watched; undefined while the board is not known. */
export const watchedPairsAtom = atom((get) => get(boardAtom)?.widgets.filter(isWatched).length)

/** A widget's alerts after this device's own checks. */
export interface LocalEpochs {
  /** The server's alerts when the checks began; others begin them anew. */
  readonly server: AlertsView
  /** A side that is armed again here has the next epoch, as on the server. */
  readonly alerts: AlertsView
  /** Milliseconds: when this device learned of the epoch. The server may have armed the side after an earlier price. */
  readonly since: number
}

/** By widget key. Never sent: the server alone changes its flags, and may see other crossings than this device. */
export const localEpochsAtom = atom<ReadonlyMap<string, LocalEpochs>>(new Map())

/**
 * Before any check: the alerts as the server has them.
 * @param since milliseconds, now
 */
export const startEpochs = (widget: WidgetView, since: number): LocalEpochs => ({
  server: widget.alerts,
  alerts: widget.alerts,
  since,
})

/** The checks of a widget; undefined: none, or of other alerts than the server has now. */
export function checksOf(known: ReadonlyMap<string, LocalEpochs>, widget: WidgetView): LocalEpochs | undefined {
  const local = known.get(widget.key)
  return local !== undefined && isEqual(local.server, widget.alerts) ? local : undefined
}

/** The armed sides of a widget as far as this device can tell. */
export function armedNow(known: ReadonlyMap<string, LocalEpochs>, widget: WidgetView): Armed {
  return armedOf((checksOf(known, widget) ?? widget).alerts)
}
