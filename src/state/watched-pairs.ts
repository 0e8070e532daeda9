import { atom } from 'jotai'
import type { WidgetView } from '../db/view'
import { boardAtom } from './live-data'
import { canNotifyAtom } from './push'

/** True if the widget's thresholds are judged: its alerts are on, and the tier lets it be active. */
export const isWatched = ({ isActive, notificationsEnabled }: WidgetView): boolean => isActive && notificationsEnabled

/** True if something of the widget is judged: its thresholds, or an alert beside them. */
export const isJudged = (widget: WidgetView): boolean =>
  isWatched(widget) || (widget.isActive && widget.serverRules.some(({ armed }) => armed))

/** How many pairs are watched; undefined while the board is not known. */
export const watchedPairsAtom = atom((get) => get(boardAtom)?.widgets.filter(isWatched).length)

/** Some pairs are watched, and this device, which could be told, is not. */
export const isNotNotifiedAtom = atom((get) => get(canNotifyAtom) && (get(watchedPairsAtom) ?? 0) > 0)
