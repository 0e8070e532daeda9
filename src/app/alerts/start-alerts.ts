import type { createStore } from 'jotai'
import { navigate } from 'wouter/use-browser-location'
import type { CommandContext } from '../../db/command'
import { ALERTS } from '../addresses'
import { showChart } from '../show-chart'
import { keepBadge } from './badge'
import { startToaster } from './toaster'
import { watchAlerts } from './watch'

/** Everything the open app does about alerts, whatever screen is shown. */
export function startAlerts(store: ReturnType<typeof createStore>, commands: Pick<CommandContext, 'db' | 'now'>): void {
  watchAlerts(store, commands)
  startToaster({
    store,
    commands,
    openChart: (alert) => showChart(alert.widget_id),
    openAlerts: () => navigate(ALERTS),
  })
  keepBadge(commands.db)
}
