import { useAtom } from 'jotai'
import { keepDashboard } from '../db/commands/keep-dashboard'
import type { MetaRows } from '../db/rows'
import { dashboardChoiceAtom } from './dashboard-choice'
import { useServices } from './services'

type DashboardChoice = MetaRows['dashboard']

const DEFAULT: DashboardChoice = { view: 'cards', order: 'hand', keys: true }

/** How this device shows the pairs; the second of the pair changes it at once, and keeps it. */
export function useDashboardChoice(): readonly [DashboardChoice, (change: Partial<DashboardChoice>) => void] {
  const { db } = useServices().commands
  const [chosen = DEFAULT, setChosen] = useAtom(dashboardChoiceAtom)
  const choose = (change: Partial<DashboardChoice>) => {
    const next = { ...chosen, ...change }
    setChosen(next)
    // The next start shows it differently then; nothing else is lost.
    keepDashboard(db, next).catch(reportFailure)
  }
  return [chosen, choose]
}

const reportFailure = (error: unknown) => reportError(error)
