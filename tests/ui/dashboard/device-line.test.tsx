import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { noticesOf } from '../support/local-app'
import { DeviceLine } from '../../../src/features/dashboard/device-line'
import { readBoard } from '../../../src/db/board-rows'
import { boardAtom } from '../../../src/state/live-data'
import { pushDeclinedAtom, type PushState, pushStateAtom } from '../../../src/state/push'
import { appWithPair } from '../support/app-with-pair'

const line = () => screen.queryByText('Notifications are off here')

/** A pair with alerts, on a device that could be told of them, and the line that says so. */
async function start(state: PushState) {
  const { app } = await appWithPair({ widget: { notifications_enabled: true } })
  app.store.set(boardAtom, await readBoard(app.db))
  app.store.set(pushStateAtom, state)
  app.store.set(pushDeclinedAtom, false)
  app.render(<DeviceLine />)
  await waitFor(() => expect(line()).not.toBeNull())
  return app
}

it.each<PushState>(['off', 'needs-home-screen'])(
  'the notifications line offers to enable push in push state %s',
  async (state) => {
    const app = await start(state)
    await userEvent.click(screen.getByRole('button', { name: 'Enable on this device' }))
    expect(app.pushed).toEqual(['enable'])
    act(() => app.store.set(pushStateAtom, 'on'))
    expect(line()).toBeNull()
  },
)

it('the notifications line shows the error as a toast when push cannot be enabled', async () => {
  const app = await start('off')
  app.answerPush(() => ({ ok: false, message: 'Could not enable push notifications. Please grant permission.' }))
  await userEvent.click(screen.getByRole('button', { name: 'Enable on this device' }))
  expect(noticesOf(app)).toMatchObject([
    { kind: 'error', message: 'Could not enable push notifications. Please grant permission.' },
  ])
})

it('the notifications line stays hidden once the user has declined push on this device', async () => {
  const app = await start('off')
  await userEvent.click(screen.getByRole('button', { name: 'Not here' }))
  expect(app.pushed).toEqual(['disable'])
  act(() => app.store.set(pushDeclinedAtom, true))
  expect(line()).toBeNull()
})

it.each<[string, PushState]>([
  ['when push is on here', 'on'],
  ['when the browser blocks notifications', 'blocked'],
  ['when the browser does not support push', 'unsupported'],
])('the notifications line is hidden %s', async (_why, state) => {
  const app = await start('off')
  act(() => app.store.set(pushStateAtom, state))
  expect(line()).toBeNull()
})

it('the notifications line is hidden once no pair has alerts', async () => {
  const app = await start('off')
  await app.db.widgets.toCollection().modify({ notifications_enabled: false })
  const board = await readBoard(app.db)
  act(() => app.store.set(boardAtom, board))
  expect(line()).toBeNull()
})
