import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changePushRegistration } from '../../../src/db/push-registration'
import type { OwnerId } from '../../../src/domain/ids'
import { StatusPage } from '../../../src/features/status/status-page'
import { pushStateAtom } from '../../../src/state/push'
import { alertRow, disarm, ownerOf } from '../alerts/alert-rows'
import { appWithPair } from '../support/app-with-pair'
import { seedWidgets, START, startLocalApp } from '../support/local-app'
import { fed } from '../support/fed'

const MINUTE = 60_000
const subscription = {
  endpoint: 'https://push.example.org/1',
  expirationTime: null,
  keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
}

const page = fed(<StatusPage />)
const line = (name: string) => screen.queryByText(name, { selector: 'dt' })?.nextElementSibling?.textContent
const says = (name: string, value: string | RegExp) => waitFor(() => expect(line(name)).toMatch(value))

test('the alerts card says whether alerts reach this device, as far as browser and server have said', async () => {
  const { app, id: widget } = await appWithPair()
  app.render(page)
  await says('Pairs with alerts', /^0$/)
  expect(line('Notifications on this device')).toBe('–')
  await disarm(app, widget)
  await says('Pairs with alerts', /^1$/)

  act(() => app.store.set(pushStateAtom, 'blocked'))
  expect(line('Notifications on this device')).toBe('Blocked by the browser')
  expect(line('Known to the server')).toBeUndefined()

  act(() => app.store.set(pushStateAtom, 'on'))
  expect(line('Notifications on this device')).toBe('On')
  expect(line('Known to the server')).toBe('Not yet')
  await changePushRegistration(app.db, () => ({
    registered: { owner: 'anon-1-somebody-else' as OwnerId, subscription },
  }))
  await says('Known to the server', /^Not yet$/)
  const owner = await ownerOf(app)
  await changePushRegistration(app.db, () => ({ registered: { owner, subscription } }))
  await says('Known to the server', /^Yes$/)
})

test('the alerts card names the last alert with its pair, its age and its time', async () => {
  const app = await startLocalApp()
  const [widget] = await seedWidgets(app, [[0, 1]])
  app.render(page)
  await says('Last alert', /^None yet$/)
  const owner = await ownerOf(app)
  await app.db.alerts.bulkPut([
    alertRow(owner, widget!, { at: START - 20 * MINUTE, pair: 'C2 / C3' }),
    alertRow(owner, widget!, { epoch: 1, at: START - 5 * MINUTE }),
  ])
  await says('Last alert', /^BTC \/ ETH, 5 min ago \(\d\d:\d\d\)$/)
})
