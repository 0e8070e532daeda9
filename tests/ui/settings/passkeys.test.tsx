import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AccountDialogs } from '../support/open-dialog'
import type { PasskeysAnswer } from '../../../src/contract/passkeys'
import type { CallFailure } from '../../../src/db/call'
import { PasskeysCard } from '../../../src/features/settings/passkeys-card'
import { formatDay } from '../../../src/domain/local-time'
import { fill } from '../auth/open-auth'
import { type LocalApp, signIn, START, startLocalApp } from '../support/local-app'

const { create, get } = vi.hoisted(() => ({ create: vi.fn(), get: vi.fn() }))
vi.mock('@simplewebauthn/browser', () => ({ startRegistration: create, startAuthentication: get }))
beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  create.mockResolvedValue({ id: 'made' })
  get.mockResolvedValue({ id: 'signed' })
})
afterEach(() => void vi.resetAllMocks())

const day = (offset: number) => new Date(START + offset * 86_400_000).toISOString()
const PHONE = { id: 'phone', name: 'My phone', created_at: day(-9), last_used_at: day(-2) }
const KEY = { id: 'key', name: 'Key ring', created_at: day(-5), last_used_at: null }
const CODES = ['AAAAA-AAAAA', 'BBBBB-BBBBB']
const STALE: CallFailure = { ok: false, status: 403, error_code: 'FRESH_SIGN_IN_REQUIRED', message: 'Confirm.' }
const REFUSED: CallFailure = {
  ok: false,
  status: 403,
  error_code: 'INVALID_CREDENTIALS',
  message: 'This password is wrong.',
}

/** The card of a user with these passkeys, as a server would change them. */
async function open(passkeys: PasskeysAnswer['passkeys'], { fresh = true, hasPassword = true, codesLeft = 8 } = {}) {
  const app = await startLocalApp()
  await signIn(app, { hasPassword })
  let left = passkeys
  let isFresh = fresh
  app.answerCall('passkeys', () => ({
    ok: true,
    value: { passkeys: left, recovery_codes_left: codesLeft, fresh_until: null },
  }))
  app.answerCall('addPasskeyOptions', () =>
    isFresh ? { ok: true, value: { ticket: 'the-ticket', options: { challenge: 'AAAA' } } } : STALE,
  )
  app.answerCall('addPasskey', ({ name }) => {
    const passkey = { ...KEY, id: 'new', name }
    left = [...left, passkey]
    return { ok: true, value: { passkey, recovery_codes: left.length === 1 ? CODES : null } }
  })
  app.answerCall('removePasskey', ({ id: removed }) => {
    if (!isFresh) return STALE
    left = left.filter(({ id }) => id !== removed)
    return { ok: true, value: null }
  })
  app.answerCall('renewRecoveryCodes', () => ({ ok: true, value: { recovery_codes: CODES } }))
  app.answerCall('confirm', (proof) => {
    if (proof.method !== 'password' || proof.password !== 'correct horse') return REFUSED
    isFresh = true
    return { ok: true, value: { fresh_until: day(1) } }
  })
  app.render(
    <>
      <PasskeysCard />
      <AccountDialogs />
    </>,
  )
  await screen.findByRole('form', { name: 'Add a passkey' })
  return app
}
const kinds = (app: LocalApp) => app.calls.map(({ route }) => route)
const names = () => screen.queryAllByRole('listitem').map((row) => row.textContent)
async function add(name: string) {
  await fill('Name of the new passkey', name)
  await userEvent.click(screen.getByRole('button', { name: 'Add passkey' }))
}
async function remove(name: string) {
  await userEvent.click(screen.getByRole('button', { name: `Remove ${name}` }))
  const sure = within(screen.getByRole('alertdialog', { name: 'Remove passkey?' }))
  await userEvent.click(sure.getByRole('button', { name: 'Remove' }))
}
const confirmation = async () => within(await screen.findByRole('dialog', { name: 'Confirm it is you' }))

test('the passkeys card lists each passkey with its days, and says how many recovery codes are left', async () => {
  await open([PHONE, KEY])
  expect(names()).toEqual([
    `My phoneAdded ${formatDay(START - 9 * 86_400_000)}, last used ${formatDay(START - 2 * 86_400_000)}Remove`,
    `Key ringAdded ${formatDay(START - 5 * 86_400_000)}, not used yetRemove`,
  ])
  expect(screen.getByText(/^8 of your recovery codes can still be used/)).toBeDefined()
})

test('a passkey needs a name before the browser is asked to make it', async () => {
  const app = await open([])
  await add('  ')
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Give the passkey a name/)
  expect(kinds(app)).toEqual(['passkeys'])
})

test('the first passkey is added under its name, shows its recovery codes once, and joins the list', async () => {
  const app = await open([])
  await add(' My laptop ')
  const dialog = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }))
  expect(dialog.getAllByRole('listitem').map((code) => code.textContent)).toEqual(CODES)
  expect(app.calls).toContainEqual({
    route: 'addPasskey',
    ticket: 'the-ticket',
    name: 'My laptop',
    attestation: { id: 'made' },
  })
  await userEvent.click(dialog.getByRole('button', { name: 'I have kept them' }))
  await waitFor(() => expect(names()).toHaveLength(1))
  expect(screen.queryByText(CODES[0]!)).toBeNull()
  expect(screen.getByLabelText('Name of the new passkey'), 'the field for the next one').toHaveProperty('value', '')
})

test('a passkey that the user cancels in the browser is not added, and the card says so', async () => {
  const app = await open([])
  create.mockRejectedValue(Object.assign(new Error('no'), { name: 'NotAllowedError' }))
  await add('My laptop')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The passkey was cancelled, or took too long. Please try again.',
  )
  expect(kinds(app)).not.toContain('addPasskey')
})

test('a passkey is removed after a confirmation, which warns when it is the last one', async () => {
  const app = await open([PHONE, KEY])
  await remove('Key ring')
  await waitFor(() => expect(names()).toHaveLength(1))
  await userEvent.click(screen.getByRole('button', { name: 'Remove My phone' }))
  expect(screen.getByText(/It is your last passkey: logging in asks for none from then on/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(kinds(app).filter((kind) => kind === 'removePasskey')).toHaveLength(1)
})

test('new recovery codes take the place of the old ones and are shown', async () => {
  await open([PHONE])
  await userEvent.click(screen.getByRole('button', { name: 'Make new codes' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }))
  expect(dialog.getAllByRole('listitem').map((code) => code.textContent)).toEqual(CODES)
})

test('with an old sign-in the password is asked for, a wrong one is refused at its field, and the right one repeats the call', async () => {
  const app = await open([PHONE], { fresh: false })
  await remove('My phone')
  const dialog = await confirmation()
  await fill('Password', 'wrong')
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('This password is wrong.')
  expect(names()).toHaveLength(1)
  await userEvent.clear(dialog.getByLabelText('Password'))
  await fill('Password', 'correct horse')
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(names()).toEqual([]))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(kinds(app).filter((kind) => kind === 'removePasskey')).toHaveLength(2)
})

test('a confirmation that the user closes leaves the passkey where it is, and the card says so', async () => {
  const app = await open([PHONE], { fresh: false })
  await remove('My phone')
  await userEvent.click((await confirmation()).getByRole('button', { name: 'Close' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Nothing was changed, since you did not confirm that it is you.',
  )
  expect(names()).toHaveLength(1)
  expect(kinds(app).filter((kind) => kind === 'removePasskey')).toHaveLength(1)
})

test('a user with a passkey confirms with it alone, not with the password', async () => {
  const app = await open([PHONE], { fresh: false })
  const session = await app.db.session.get('current')
  await app.db.session.put({ ...session!, user: { ...session!.user!, has_passkeys: true } })
  app.answerCall('confirmOptions', () => ({ ok: true, value: { ticket: 'again', options: { challenge: 'BBBB' } } }))
  await remove('My phone')
  const dialog = await confirmation()
  const use = await dialog.findByRole('button', { name: 'Use your passkey' })
  expect(dialog.queryByLabelText('Password')).toBeNull()
  app.answerCall('removePasskey', () => ({ ok: true, value: null }))
  app.answerCall('confirm', () => ({ ok: true, value: { fresh_until: day(1) } }))
  await userEvent.click(use)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.calls).toContainEqual({
    route: 'confirm',
    method: 'passkey',
    ticket: 'again',
    assertion: { id: 'signed' },
  })
})

test('a user whose recovery codes are gone, as after a reset by mail, is asked to make new ones', async () => {
  await open([PHONE], { codesLeft: 0 })
  const asked = await screen.findByRole('alert')
  expect(asked.textContent).toContain('You have no recovery codes.')
  await userEvent.click(within(asked).getByRole('button', { name: 'Make new codes' }))
  expect(await screen.findByRole('dialog', { name: 'Your recovery codes' })).toBeDefined()
})

test('a browser without passkeys shows those of the account, and says that it cannot add any', async () => {
  vi.unstubAllGlobals()
  const app = await startLocalApp()
  await signIn(app)
  app.answerCall('passkeys', () => ({
    ok: true,
    value: { passkeys: [PHONE], recovery_codes_left: 8, fresh_until: null },
  }))
  app.render(<PasskeysCard />)
  expect(await screen.findByText('This browser does not support passkeys.')).toBeDefined()
  await waitFor(() => expect(names()).toHaveLength(1))
  expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull()
})
