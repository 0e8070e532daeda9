import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { AccountDialogs } from '../support/open-dialog'
import type { CallFailure } from '../../../src/db/call'
import { readMeta, writeMeta } from '../../../src/db/database'
import { AccountCard } from '../../../src/features/settings/account-card'
import { signIn, START, startLocalApp } from '../support/local-app'

const STALE: CallFailure = { ok: false, status: 403, error_code: 'FRESH_SIGN_IN_REQUIRED', message: 'Confirm.' }

/** The account card of a user of this kind; the server offers Google. */
async function open({ linked, hasPassword = true }: { readonly linked: boolean; readonly hasPassword?: boolean }) {
  const app = await startLocalApp()
  await signIn(app, { hasPassword })
  const setLinked = async (has_google: boolean) => {
    const session = await app.db.session.get('current')
    await app.db.session.put({ ...session!, user: { ...session!.user!, has_google } })
  }
  await setLinked(linked)
  const google = { client_id: 'the-app', authorization_url: 'https://accounts.google.example/auth' }
  await writeMeta(app.db, 'config', { config: { google } as never, fetched_at: START, etag: null } as never)
  app.render(
    <>
      <AccountCard />
      <AccountDialogs />
    </>,
  )
  await screen.findByText(linked ? 'Linked' : 'Not linked')
  return { app, setLinked }
}

test('an account that is not linked with Google offers the link, and asks for a confirmation before the user leaves', async () => {
  const { app } = await open({ linked: false })
  app.answerCall('passkeys', () => ({ ok: true, value: { passkeys: [], recovery_codes_left: 0, fresh_until: null } }))
  await userEvent.click(await screen.findByRole('button', { name: 'Link Google' }))
  const confirmation = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }))
  await userEvent.click(confirmation.getByRole('button', { name: 'Close' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Nothing was changed, since you did not confirm that it is you.',
  )
  expect(await readMeta(app.db, 'sign_ins')).toBeUndefined()
})

test('the link with Google ends after a confirmation, and the account says so', async () => {
  const { app, setLinked } = await open({ linked: true })
  app.answerCall('unlinkGoogle', async () => {
    await setLinked(false)
    return { ok: true, value: (await app.db.session.get('current'))!.user! }
  })
  await userEvent.click(screen.getByRole('button', { name: 'Remove Google' }))
  const sure = within(screen.getByRole('alertdialog', { name: 'Remove Google?' }))
  expect(sure.getByText('Google can no longer log in to your account. Your password still can.')).toBeDefined()
  await userEvent.click(sure.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Not linked')).toBeDefined()
})

test('the link with Google stays where the user cancels the confirmation that it is them', async () => {
  const { app } = await open({ linked: true })
  app.answerCall('unlinkGoogle', () => STALE)
  await userEvent.click(screen.getByRole('button', { name: 'Remove Google' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  const confirmation = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }))
  await userEvent.click(confirmation.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.calls.filter(({ route }) => route === 'unlinkGoogle')).toHaveLength(1)
  expect(screen.getByText('Linked')).toBeDefined()
})

test('an account without a password ends its link with Google where a passkey opens it alone', async () => {
  const { app } = await open({ linked: true, hasPassword: false })
  const session = await app.db.session.get('current')
  await app.db.session.put({ ...session!, user: { ...session!.user!, opens_by_passkey: true } })
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Google' }))
  const sure = within(screen.getByRole('alertdialog', { name: 'Remove Google?' }))
  expect(sure.getByText('Google can no longer log in to your account. Your passkey still can.')).toBeDefined()
})

test('an account without a password cannot end its link with Google', async () => {
  await open({ linked: true, hasPassword: false })
  expect(screen.queryByRole('button', { name: 'Remove Google' })).toBeNull()
})
