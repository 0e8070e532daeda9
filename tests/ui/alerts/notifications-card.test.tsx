import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { NotificationsCard } from '../../../src/features/alerts/notifications-card'
import { useFeeds } from '../../../src/features/dashboard/use-feeds'
import { type PushResult, type PushState, pushStateAtom } from '../../../src/state/push'
import { localToastsAtom } from '../../../src/state/toasts'
import { seedCoins, seedLimit, seedWidgets, startLocalApp } from '../support/local-app'

function Fed() {
  useFeeds()
  return <NotificationsCard />
}

async function open(state: PushState | undefined) {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  const widgets = await seedWidgets(app, [
    [0, 1],
    [2, 3],
  ])
  app.store.set(pushStateAtom, state)
  app.render(<Fed />)
  const card = screen.getByRole('region', { name: 'Notifications on this device' })
  return { app, widgets, card, text: () => within(card).getByRole('status').textContent }
}

test('says nothing before it is known', async () => {
  const { card, text } = await open(undefined)
  expect(text()).toBe('')
  expect(within(card).queryByRole('button')).toBeNull()
})

describe('what it says, and the button it has', () => {
  test.each<[PushState, RegExp, string | null]>([
    ['on', /^OnThis device is told .* also while the app is closed\./, 'Disable'],
    ['off', /^OffBe told when .* also while the app is closed\./, 'Enable on this device'],
    ['blocked', /Push notifications are blocked\. Please enable them in browser settings\./, null],
    ['unsupported', /Push notifications are not supported by this browser\./, null],
    ['needs-home-screen', /iPhone and iPad/, 'Show how'],
  ])('%s', async (state, words, button) => {
    const { card, text } = await open(state)
    expect(text()).toMatch(words)
    expect(within(card).queryByRole('button')?.textContent ?? null).toBe(button)
  })
})

test('how many pairs have alerts', async () => {
  const { app, widgets, text } = await open('on')
  await waitFor(() => expect(text()).toMatch(/No pair has alerts switched on yet/))
  await app.db.widgets.update(widgets[0]!, { notifications_enabled: true })
  await waitFor(() => expect(text()).toMatch(/1 pair has alerts switched on\.$/))
  await app.db.widgets.update(widgets[1]!, { notifications_enabled: true })
  await waitFor(() => expect(text()).toMatch(/2 pairs have alerts switched on\.$/))
  await seedLimit(app, 1)
  await waitFor(() => expect(text()).toMatch(/1 pair has/))
})

describe('a click', () => {
  test('asks once, however often it is pressed, and keeps the focus', async () => {
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
    expect(app.store.get(localToastsAtom)).toEqual([])
    await userEvent.click(document.activeElement!)
    expect(app.pushed).toEqual(['enable', 'disable'])
  })

  test('says what stood in the way', async () => {
    const { app, card } = await open('off')
    app.answerPush(() => ({ ok: false, message: 'Could not enable push notifications. Please grant permission.' }))
    await userEvent.click(within(card).getByRole('button', { name: 'Enable on this device' }))
    expect(app.store.get(localToastsAtom)).toMatchObject([
      { type: 'error', message: 'Could not enable push notifications. Please grant permission.' },
    ])
    expect(within(card).getByRole('button', { name: 'Enable on this device' })).toBeDefined()
  })

  test('says nothing where it has been explained', async () => {
    const { app, card } = await open('needs-home-screen')
    app.answerPush(() => ({ ok: false, message: null }))
    await userEvent.click(within(card).getByRole('button', { name: 'Show how' }))
    expect(app.pushed).toEqual(['enable'])
    expect(app.store.get(localToastsAtom)).toEqual([])
  })
})
