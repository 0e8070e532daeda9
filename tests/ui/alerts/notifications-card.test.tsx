import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { AlertsPage } from '../../../src/features/alerts/alerts-page'
import { type PushResult, type PushState, pushStateAtom } from '../../../src/state/push'
import { seedCoins, seedLimit, seedWidgets, startLocalApp, noticesOf } from '../support/local-app'
import { fed } from '../support/fed'

const page = fed(<AlertsPage chartLink={(widget) => ({ href: `/chart/${widget}`, state: null })} />)

async function open(state: PushState | undefined) {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  const widgets = await seedWidgets(app, 2)
  app.store.set(pushStateAtom, state)
  app.render(page)
  const card = screen.getByRole('region', { name: 'Notifications on this device' })
  return { app, widgets, card, text: () => within(card).getByRole('status').textContent }
}

test('the notifications card shows no text and no button before the push state is known', async () => {
  const { card, text } = await open(undefined)
  expect(text()).toBe('')
  expect(within(card).queryByRole('button')).toBeNull()
})

test.each<[PushState, RegExp, string | null]>([
  ['on', /^OnThis device is told .* also while the app is closed\./, 'Disable'],
  ['off', /^OffBe told when .* also while the app is closed\./, 'Enable on this device'],
  ['blocked', /Push notifications are blocked\. Please enable them in browser settings\./, null],
  ['unsupported', /Push notifications are not supported by this browser\./, null],
  ['needs-home-screen', /iPhone and iPad/, 'Show how'],
])('the notifications card explains the push state “%s”, with the button that fits', async (state, words, button) => {
  const { card, text } = await open(state)
  expect(text()).toMatch(words)
  expect(within(card).queryByRole('button')?.textContent ?? null).toBe(button)
})

test('the notifications card counts the active pairs that have alerts switched on', async () => {
  const { app, widgets, text } = await open('on')
  await waitFor(() => expect(text()).toMatch(/No pair has alerts switched on yet/))
  await app.db.widgets.update(widgets[0]!, { notifications_enabled: true })
  await waitFor(() => expect(text()).toMatch(/1 pair has alerts switched on\.$/))
  await app.db.widgets.update(widgets[1]!, { notifications_enabled: true })
  await waitFor(() => expect(text()).toMatch(/2 pairs have alerts switched on\.$/))
  await seedLimit(app, 1)
  await waitFor(() => expect(text()).toMatch(/1 pair has/))
})

test('the notifications card requests push once for two clicks, and keeps the focus on its button', async () => {
  const { app, card } = await open('off')
  let answer: (result: PushResult) => void = () => {}
  app.answerPush(() => new Promise((resolve) => void (answer = resolve)))
  const button = within(card).getByRole('button', { name: 'Enable on this device' })
  await userEvent.click(button)
  await userEvent.click(button)
  expect(app.pushed).toEqual(['enable'])
  expect(button.textContent).toBe('Enabling…')
  act(() => app.store.set(pushStateAtom, 'on'))
  await act(async () => answer({ ok: true }))
  expect(within(card).getByRole('button', { name: 'Disable' })).toBe(document.activeElement)
  expect(noticesOf(app)).toEqual([])
  await userEvent.click(document.activeElement!)
  expect(app.pushed).toEqual(['enable', 'disable'])
})

test('the notifications card shows in a toast why push could not be enabled', async () => {
  const { app, card } = await open('off')
  app.answerPush(() => ({ ok: false, message: 'Could not enable push notifications. Please grant permission.' }))
  await userEvent.click(within(card).getByRole('button', { name: 'Enable on this device' }))
  expect(noticesOf(app)).toMatchObject([
    { kind: 'error', message: 'Could not enable push notifications. Please grant permission.' },
  ])
  expect(within(card).getByRole('button', { name: 'Enable on this device' })).toBeDefined()
})

test('the notifications card shows no toast when enabling push fails without a message', async () => {
  const { app, card } = await open('needs-home-screen')
  app.answerPush(() => ({ ok: false, message: null }))
  await userEvent.click(within(card).getByRole('button', { name: 'Show how' }))
  expect(app.pushed).toEqual(['enable'])
  expect(noticesOf(app)).toEqual([])
})
