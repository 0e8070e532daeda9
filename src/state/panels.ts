import { atom } from 'jotai'

/** Whether the dialog "Create New Pair" is open; navigation and dashboard both open it. */
export const addPairOpenAtom = atom(false)
