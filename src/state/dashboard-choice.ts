import { atom } from 'jotai'
import type { MetaRows } from '../db/rows'

/** How this device shows the pairs, as the user last chose; undefined until then. Read before the first paint. */
export const dashboardChoiceAtom = atom<MetaRows['dashboard'] | undefined>(undefined)

/** Whether the pairs stand as rows of a list instead of cards. */
export const isListAtom = atom((get) => get(dashboardChoiceAtom)?.view === 'list')
