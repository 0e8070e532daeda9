import { atom } from 'jotai'
import type { WidgetId } from '../domain/ids'

/** Whether the dialog "Create New Pair" is open; navigation and dashboard both open it. */
export const addPairOpenAtom = atom(false)

/** The widget whose checkpoints are being managed; null: nobody's. */
export const checkpointsOpenAtom = atom<WidgetId | null>(null)

/** What a person without enough rights is asked to do first; null: nothing. */
export const accountOpenAtom = atom<'login' | 'upgrade' | null>(null)
