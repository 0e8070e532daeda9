import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { setWidth } from '../support/viewport'
import { asked, entry, heading, openAdmin, profile, toasts, UNANSWERED } from './office'

beforeEach(() => setWidth(1440))

async function openUser() {
  const user = profile('grace@example.com')
  const app = await openAdmin(`/admin/users/${user.id}`, { users: [user] })
  await heading('grace@example.com')
  return { app, user }
}
const region = (name: string) => within(screen.getByRole('region', { name }))
const end = async () => {
  const dialog = within(await screen.findByRole('alertdialog', { name: 'End all sessions?' }))
  await userEvent.click(dialog.getByRole('button', { name: 'End all sessions' }))
}

test('all sessions of an account are ended after a confirmation, which is shown among the actions', async () => {
  const { app, user } = await openUser()
  app.answerCall('endUserSessions', () => {
    app.office.log.push(entry({ target_id: user.id, action: 'end-sessions', details: null }))
    return { ok: true, value: null }
  })
  await userEvent.click(region('Sessions').getByRole('button', { name: 'End all sessions' }))
  expect(asked(app, 'endUserSessions')).toEqual([])
  await end()
  expect(await region('Actions').findByText('Ended all sessions')).toBeDefined()
  expect(asked(app, 'endUserSessions')).toEqual([{ route: 'endUserSessions', id: user.id }])
  expect(toasts(app)).toEqual([['success', 'grace@example.com is logged out everywhere.']])
})

test('sessions that were not ended leave the reason in the card, and the operator may try again', async () => {
  const { app } = await openUser()
  app.answerCall('endUserSessions', () => UNANSWERED)
  const open = region('Sessions').getByRole('button', { name: 'End all sessions' })
  await userEvent.click(open)
  await end()
  expect((await region('Sessions').findByRole('alert')).textContent).toBe(
    'Failed to end the sessions. Nothing answered, so it may have been done all the same. Look again before you repeat it.',
  )
  expect(open.getAttribute('aria-disabled')).toBeNull()
})
