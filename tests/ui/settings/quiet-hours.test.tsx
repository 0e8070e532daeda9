import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { changeOwnerSyncState } from '../../../src/db/owner-sync-state'
import type { AlertSettings } from '../../../src/contract/alerts'
import { DeviceLine, ExtremesOffer } from '../../../src/features/dashboard/device-line'
import { AlertsPage } from '../../../src/features/alerts/alerts-page'
import { QuietHoursCard } from '../../../src/features/settings/quiet-hours-card'
import { UNTIL_RESUMED } from '../../../src/domain/quiet-hours'
import { configAtom } from '../../../src/state/server-settings'
import { alertRow, ownerOf } from '../alerts/alert-rows'
import { appWithPair } from '../support/app-with-pair'
import { configOf } from '../support/config'
import { fed } from '../support/fed'

const screens = fed(
  <>
    <DeviceLine />
    <QuietHoursCard />
    <ExtremesOffer />
  </>,
)

async function start(settings: Partial<AlertSettings> = {}, features = ['quiet', 'extremes']) {
  const { app, id } = await appWithPair()
  const owner = await ownerOf(app)
  await changeOwnerSyncState(app.db, owner, { alert_settings: { extremes: false, ...settings } })
  app.store.set(configAtom, configOf({ alert_features: features }))
  const saved = async () => (await app.db.outbox.toArray()).map(({ payload }) => payload)
  return { app, id, owner, saved }
}
const button = (name: string) => screen.findByRole('button', { name })
/** On the board and in Settings. */
const twice = (words: RegExp) => waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2))
const box = (name: string) => screen.getByRole('checkbox', { name })

test('quiet hours are set with the browser’s zone and removed again, and a refused entry says why', async () => {
  const { app, saved } = await start()
  app.render(screens)
  const fold = (words: string) => screen.getByText(words).closest('details')!
  await screen.findByText(/^None are set/)
  expect(fold('Choose hours').open).toBe(false)
  await userEvent.click(screen.getByText('Choose hours'))
  const set = await button('Set quiet hours')
  const form = screen.getByRole('form', { name: 'Quiet hours' })
  expect(form.textContent).toContain('own Do Not Disturb cannot be broken')
  const to = within(form).getByLabelText('To')
  await userEvent.clear(to)
  await userEvent.type(to, '22:00')
  await userEvent.click(set)
  expect(await screen.findByText('Choose another time than the beginning.')).toBeDefined()
  await userEvent.clear(to)
  await userEvent.type(to, '06:30')
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']) await userEvent.click(box(day))
  await userEvent.click(set)
  expect(await screen.findByText('Choose at least one day.')).toBeDefined()
  for (const day of ['Sat', 'Sun']) await userEvent.click(box(day))
  await userEvent.click(set)
  const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(await screen.findByText(new RegExp(`^22:00 to 06:30, Sat, Sun, ${time_zone}\\.`))).toBeDefined()
  expect(await saved()).toEqual([{ body: { quiet_hours: { from: '22:00', to: '06:30', days: [6, 7], time_zone } } }])
  expect(fold('Hours').open).toBe(true)
  await userEvent.click(await button('Remove quiet hours'))
  await screen.findByText(/^None are set/)
  expect(fold('Choose hours').open).toBe(false)
  expect(await saved()).toEqual([{ body: { quiet_hours: null } }])
})

test('all alerts are paused from Settings, which says until when, as the board does, and both resume them', async () => {
  const { app, saved } = await start()
  app.render(screens)
  await userEvent.click(await button('Pause all alerts'))
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'For 1 hour',
    'Until tomorrow, 07:00',
    'Until I resume',
  ])
  await userEvent.click(screen.getByRole('menuitem', { name: 'Until I resume' }))
  await twice(/^Alerts are paused until you resume them/)
  expect(await saved()).toEqual([{ body: { paused_until: UNTIL_RESUMED } }])
  await userEvent.click(await button('Resume alerts'))
  await button('Pause all alerts')
  await waitFor(() => expect(screen.queryByText(/Alerts are paused/)).toBeNull())
  await userEvent.click(await button('Pause all alerts'))
  await userEvent.click(screen.getByRole('menuitem', { name: 'For 1 hour' }))
  await twice(/^Alerts are paused until .*\d\d:\d\d/)
  await userEvent.click(await button('Resume'))
  await waitFor(async () => expect(await saved()).toEqual([{ body: { paused_until: null } }]))
})

test('settings show no quiet hours of a server of an earlier version', async () => {
  const { app } = await start({}, ['extremes'])
  app.render(screens)
  await act(async () => void (await app.db.owners.toArray()))
  expect(screen.queryByText('Quiet hours')).toBeNull()
})

test('the log says until when an alert was held, and that one of a pause is not sent', async () => {
  const { app, id, owner } = await start()
  const held_until = new Date(2026, 0, 15, 7).getTime()
  const at = held_until - 3 * 60 * 60_000
  const held = { at, quiet: true, seen_at: 1 } as const
  await app.db.alerts.bulkPut([
    alertRow(owner, id, { ...held, event_id: 'held', held_until }),
    alertRow(owner, id, { ...held, event_id: 'paused', held_until: null }),
  ])
  app.render(fed(<AlertsPage chartLink={(widget) => ({ href: `/chart/${widget}`, state: null })} />))
  expect(await screen.findByText(/^Held until 07:00/)).toBeDefined()
  expect(await screen.findByText(/^Not sent: alerts were paused/)).toBeDefined()
})
