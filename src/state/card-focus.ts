import { atom } from 'jotai'

/**
 * The id or key of the widget whose card takes the keyboard focus as soon as it is there, and then clears this: a pair
 * just added, or the neighbour of one just removed.
 */
export const cardFocusAtom = atom<string | null>(null)
