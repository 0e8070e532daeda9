import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { changeOwnerSyncState } from '../../../src/db/owner-sync-state'
import { readOwnAlerts } from '../../../src/db/own-alerts'
import type { OwnerRow } from '../../../src/db/rows'
import { AlertsPage } from '../../../src/features/alerts/alerts-page'
import { DeviceLine, ExtremesOffer } from '../../../src/features/dashboard/device-line'
import { pushDeclinedAtom, pushStateAtom } from '../../../src/state/push'
import { configAtom } from '../../../src/state/server-settings'
import { appWithPair } from '../support/app-with-pair'
import { configOf } from '../support/config'
import { fed } from '../support/fed'
import type { LocalApp } from '../support/local-app'
import { alertRow, ownerOf } from './alert-rows'

const page = fed(<AlertsPage chartLink={(widget) => ({ href: `/chart/${widget}`, state: null })} />)

/** An owner of one pair whom the server has told that extremes are off. @param features of the server */
async function start(state: Partial<OwnerRow> = {}, features: string[] = ['extremes']) {
  const { app, id } = await appWithPair()
  const owner = await ownerOf(app)
  await changeOwnerSyncState(app.db, owner, { alert_settings: { extremes: false }, ...state })
  app.store.set(configAtom, configOf({ alert_features: features }))
  app.store.set(pushStateAtom, 'off')
  app.store.set(pushDeclinedAtom, false)
  return { app, id, owner }
}
const sent = async (app: LocalApp) => (await app.db.outbox.toArray()).map(({ kind, payload }) => [kind, payload])
const saved = (extremes: boolean) => ['alert-settings.save@1', { body: { extremes } }]
const tellMe = () => screen.findByRole('button', { name: 'Tell me when any pair is at an extreme' })
const offer = () => screen.queryByText('Be told of any pair’s extremes')

test('the switch “Tell me when any pair is at an extreme” is stored for the server, and switching on asks for notifications here', async () => {
  const { app } = await start({}, ['extremes', 'quiet'])
  app.render(page)
  const elsewhere = screen.getByRole('link', { name: 'quiet hours and other ways' })
  expect(elsewhere.getAttribute('href')).toBe('/settings')
  const button = await screen.findByRole('switch', { name: 'Tell me when any pair is at an extreme' })
  expect((button as HTMLInputElement).checked).toBe(false)
  await userEvent.click(button)
  await waitFor(() => expect((button as HTMLInputElement).checked).toBe(true))
  expect([await sent(app), app.pushed]).toEqual([[saved(true)], ['enable']])
  await userEvent.click(button)
  await waitFor(() => expect((button as HTMLInputElement).checked).toBe(false))
  expect([await sent(app), app.pushed]).toEqual([[saved(false)], ['enable']])
})

test.each<[string, Partial<OwnerRow>, string[]]>([
  ['before the server has said what it has', { alert_settings: undefined as never }, ['extremes']],
  ['of a server of an earlier version', {}, []],
])('the alerts page shows no switch for extremes %s', async (_when, state, features) => {
  const { app } = await start(state, features)
  app.render(page)
  await screen.findByText('COMING SOON')
  await act(async () => void (await readOwnAlerts(app.db)))
  expect([screen.queryByRole('switch'), screen.queryByRole('link', { name: /quiet hours/ })]).toEqual([null, null])
})

test('extremes are offered once, on a visit after the one on which there were pairs first, and “Not now” is the answer', async () => {
  const { app, owner } = await start()
  app.render(
    fed(
      <>
        <DeviceLine />
        <ExtremesOffer />
      </>,
    ),
  )
  await waitFor(async () => expect((await app.db.owners.get(owner))?.extremes_offer).toBeTypeOf('number'))
  expect(offer()).toBeNull()
  // The next visit.
  await act(() => changeOwnerSyncState(app.db, owner, { extremes_offer: 1 }))
  await tellMe()
  await userEvent.click(screen.getByRole('button', { name: 'Not now' }))
  await waitFor(() => expect(offer()).toBeNull())
  expect([(await app.db.owners.get(owner))?.extremes_offer, await sent(app)]).toEqual(['answered', []])
})

test('the offer of extremes switches them on, asks for notifications, and leaves the line about them on a device without', async () => {
  const { app } = await start({ extremes_offer: 1 })
  app.answerPush(() => ({ ok: false, message: null }))
  app.render(
    fed(
      <>
        <DeviceLine />
        <ExtremesOffer />
      </>,
    ),
  )
  await userEvent.click(await tellMe())
  await waitFor(() => expect(offer()).toBeNull())
  expect([await sent(app), app.pushed]).toEqual([[saved(true)], ['enable']])
  expect(await screen.findByText('Notifications are off here')).toBeDefined()
})

test('the log lists an extreme in the words of its badge, an alert of a kind that it does not know without losing it, and one that was snoozed as not sent', async () => {
  const { app, id, owner } = await start()
  const extreme = { kind: 'extreme_high', measure: 0.97, days: 90 }
  await app.db.alerts.bulkPut([
    alertRow(owner, id, { ...extreme, event_id: `extreme:${id}:high:20000` }),
    alertRow(owner, id, { kind: 'sneeze', event_id: 'sneeze', held_until: null, not_sent: 'snoozed', quiet: true }),
  ])
  const [kind, note] = ['way_off', 'the webhook at hooks.example']
  await app.db.alerts.put(alertRow(owner, id, { kind, note, event_id: 'rule:9:1' }))
  await app.db.alerts.put(alertRow(owner, id, { kind: 'unjudged', measure: 70, event_id: 'unjudged:1', side: 'low' }))
  app.render(page)
  const log = screen.getByRole('region', { name: 'Last 90 days' })
  const off = (await within(log).findByText(`Alerts no longer reach ${note}`)).closest('li')!
  expect(within(off).getByRole('link', { name: 'Ways to reach you' }).getAttribute('href')).toBe('/settings')
  expect(off.textContent).not.toContain('BTC / ETH')
  const row = async (words: string) => (await within(log).findByText(words)).closest('li')!
  expect((await row('At a high of 90 days: 97th percentile')).textContent).toContain('BTC / ETH')
  expect((await row('An alert of a newer version')).textContent).toContain('BTC / ETH')
  expect(await within(log).findByText(/^Is not judged: the price of ETH is 70\smin old$/)).toBeDefined()
  expect((await row('An alert of a newer version')).textContent).toContain('Not sent: snoozed')
  expect(within(log).queryByRole('button', { name: /^Re-arm/ })).toBeNull()
})
