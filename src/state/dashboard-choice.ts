import { atom } from 'jotai'
import { boardAtom } from './live-data'
import type { MetaRows } from '../db/rows'

/** How this device shows the pairs, as the user last chose; undefined until then. Read before the first paint. */
export const dashboardChoiceAtom = atom<MetaRows['dashboard'] | undefined>(undefined)

/** True if pairs show as rows of a list instead of cards; without an active pair there is no list. */
export const hasListAtom = atom(
  (get) =>
    get(dashboardChoiceAtom)?.view === 'list' && get(boardAtom)?.widgets.some((widget) => widget.isActive) === true,
)
