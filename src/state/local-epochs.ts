import { atom } from 'jotai'
import type { AlertsView, WidgetView } from '../db/view'
import { type Armed, armedOf } from '../domain/alerts'
import { visibleBoardAtom } from './optimistic-patches'

/** Whether its thresholds are looked at: its alerts are on, and its tier lets it be active. */
export const isWatched = ({ isActive, notificationsEnabled }: WidgetView): boolean => isActive && notificationsEnabled

/** How many pairs are watched; undefined while the board is not known. */
export const watchedPairsAtom = atom((get) => get(visibleBoardAtom)?.widgets.filter(isWatched).length)

/** A widget's alerts after this device's own checks. */
export interface LocalEpochs {
  /** `serverFingerprint` of the widget when the checks began; another value makes this obsolete. */
  readonly fingerprint: string
  /** A side that is armed again here has the next epoch, as it has on the server. */
  readonly alerts: AlertsView
  /** Milliseconds: when this device learned of the arming. The server may have armed the side after an earlier price. */
  readonly since: number
}

/**
 * By widget key. Never sent: the server alone changes the flags it keeps, and it may see a crossing later than this
 * device, or one that this device slept through.
 */
export const localEpochsAtom = atom<ReadonlyMap<string, LocalEpochs>>(new Map())

/** Every change of it starts the checks of a widget anew. */
export const serverFingerprint = ({ alerts }: WidgetView): string => JSON.stringify(alerts)

/**
 * Before any check: the alerts as the server has them.
 * @param since milliseconds, now
 */
export const startEpochs = (widget: WidgetView, since: number): LocalEpochs => ({
  fingerprint: serverFingerprint(widget),
  alerts: widget.alerts,
  since,
})

/** Whether a widget's sides are armed as far as this device can tell. */
export function armedNow(known: ReadonlyMap<string, LocalEpochs>, widget: WidgetView): Armed {
  const local = known.get(widget.key)
  return armedOf(local?.fingerprint === serverFingerprint(widget) ? local.alerts : widget.alerts)
}
