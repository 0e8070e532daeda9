import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { markAlertsSeen } from '../../../src/db/commands/alerts'
import type { OwnerId, WidgetId } from '../../../src/domain/ids'
import { Shell } from '../../../src/features/shell/shell'
import { alertRow, ownerOf } from '../alerts/alert-rows'
import { START, startLocalApp, type LocalApp } from '../support/local-app'
import { setWidth } from '../support/viewport'
import { SLOW } from '../support/slow'

// The first import of a lazy part compiles it.
const WIDGET = 'some-widget' as WidgetId

const seedAlerts = async (app: LocalApp, count: number) => {
  const owner = await ownerOf(app)
  await app.db.alerts.bulkPut(Array.from({ length: count }, (_, epoch) => alertRow(owner, WIDGET, { epoch })))
}
const open = (app: LocalApp) => app.render(<Shell>content</Shell>)
const described = (link: HTMLElement) => document.getElementById(link.getAttribute('aria-describedby')!)?.textContent

test.each([
  [1440, 'Main'],
  [360, 'Tabs'],
])('at %i px the link to the alerts says how many are unseen, and keeps its name', async (width, navigation) => {
  setWidth(width)
  const app = await startLocalApp()
  await seedAlerts(app, 3)
  await app.db.alerts.put(alertRow('anon-1-somebody-else' as OwnerId, WIDGET, { epoch: 9 }))
  await app.db.alerts.put(alertRow(await ownerOf(app), WIDGET, { epoch: 8, seen_at: START }))
  open(app)
  const link = within(screen.getByRole('navigation', { name: navigation })).getByRole('link', { name: 'Alerts' })
  await waitFor(() => expect(described(link)).toBe('3 new'), SLOW)

  const all = await app.db.alerts.toArray()
  await markAlertsSeen(
    app.services.commands,
    all.map((row) => row.event_id),
  )
  await waitFor(() => expect(described(link)).toBeUndefined())
  expect(link.textContent).toBe('Alerts')
})

test('the link to the alerts counts unseen alerts up to 99 and then says 99+', async () => {
  setWidth(1440)
  const app = await startLocalApp()
  await seedAlerts(app, 120)
  open(app)
  const link = screen.getByRole('link', { name: 'Alerts' })
  await waitFor(() => expect(described(link)).toBe('99+ new'), SLOW)
})
