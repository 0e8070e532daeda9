import { atom } from 'jotai'
import type { WidgetView } from '../db/view'
import { shownBoardAtom } from './wishes'

/** Whether its thresholds are looked at: its alerts are on, and its tier lets it be active. */
export const isWatched = ({ isActive, notificationsEnabled }: WidgetView): boolean => isActive && notificationsEnabled

/** How many pairs are watched; undefined while the board is not known. */
export const watchedPairsAtom = atom((get) => get(shownBoardAtom)?.widgets.filter(isWatched).length)
