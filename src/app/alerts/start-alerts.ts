import { liveQuery } from 'dexie'
import { navigate } from 'wouter/use-browser-location'
import type { CommandContext } from '../../db/command'
import type { LocalDatabase } from '../../db/database'
import { countUnseenAlerts } from '../../db/queries/alerts'
import type { Store } from '../../state/services'
import { showBadge } from '../../sync/push/device'
import { ALERTS } from '../addresses'
import { showChart } from '../show-chart'
import { startToaster } from './toaster'
import { watchAlerts } from './watch'

/** Keeps the badge of an installed app's icon right in a page: whoever looks at the app is told there. */
function badgeHere(db: LocalDatabase): Promise<void> {
  return showBadge(db, navigator, document.visibilityState === 'visible')
}

/** As long as the page lives: a crossing may be brought home by the service worker, or be seen in another window. */
export function keepBadge(db: LocalDatabase): void {
  const show = () => void badgeHere(db).catch((error: unknown) => reportError(error))
  liveQuery(() => countUnseenAlerts(db)).subscribe({ next: show, error: (error) => reportError(error) })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') show()
  })
}

/** The open app's work on alerts, on all screens. */
export function startAlerts(store: Store, commands: Pick<CommandContext, 'db' | 'now'>): void {
  watchAlerts(store, commands)
  startToaster({
    store,
    commands,
    openChart: (alert) => showChart(alert.widget_id),
    openAlerts: () => navigate(ALERTS),
  })
  keepBadge(commands.db)
}
