import { atom, useAtom } from 'jotai'
import { storeMeta } from '../db/write-transaction'
import type { MetaRows } from '../db/rows'
import { dashboardChoiceAtom } from './dashboard-choice'
import { useServices } from './services'

/* Apart from its atom: the first screen reads the atom alone, without the code that writes. */

type DashboardChoice = MetaRows['dashboard']

/** On a phone the list's search and order stand behind a button, so that the pairs have the room. */
export const listToolsOpenAtom = atom(false)

const DEFAULT: DashboardChoice = { view: 'cards', order: 'hand', keys: true }

/** How this device shows the pairs; the function changes the choice at once, and stores it. */
export function useDashboardChoice(): readonly [DashboardChoice, (change: Partial<DashboardChoice>) => void] {
  const { db } = useServices().commands
  const [chosen = DEFAULT, setChosen] = useAtom(dashboardChoiceAtom)
  const choose = (change: Partial<DashboardChoice>) => {
    const next = { ...chosen, ...change }
    setChosen(next)
    // After a failure the next start shows the former choice; nothing else is lost.
    storeMeta(db, 'dashboard', next).catch((error: unknown) => reportError(error))
  }
  return [chosen, choose]
}
