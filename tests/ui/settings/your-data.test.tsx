import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { MyData } from '../../../src/contract/my-data'
import { ensureIdentity } from '../../../src/db/identity'
import { dataFileName } from '../../../src/features/settings/data-files'
import { YourDataCard } from '../../../src/features/settings/data-cards'
import { appWithPair } from '../support/app-with-pair'
import { signIn, START, startLocalApp, type LocalApp, noticesOf } from '../support/local-app'
import { alertRow } from '../alerts/alert-rows'
import { catchReports } from '../support/reports'

const BORROWED = { coin_a_id: 'bitcoin', coin_b_id: 'ethereum', side: 'high', ratio: 21, threshold: 20, widget_id: '1' }
const OF_WAY = { kind: 'way_off', note: 'your email address' }
const SERVER = { kind: 'guest', alerts: [BORROWED, { ...BORROWED, ...OF_WAY }] } as unknown as MyData

/** Files that were saved, by name. */
let saved: Map<string, Promise<string>>
beforeEach(() => {
  saved = new Map()
  let blob: Blob | null = null
  vi.spyOn(URL, 'createObjectURL').mockImplementation((contents) => {
    blob = contents as Blob
    return 'blob:saved'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.set(this.download, blob!.text())
  })
})

const NAME = dataFileName(START)
const contents = async () => JSON.parse((await saved.get(NAME))!) as Record<string, unknown>
const toasts = (app: LocalApp) => noticesOf(app).map(({ kind, message }) => [kind, message])
const download = async () => userEvent.click(await screen.findByRole('button', { name: 'Download my data' }))
const askToDelete = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Delete my data' }))
  return within(await screen.findByRole('dialog'))
}
const confirm = (dialog: Awaited<ReturnType<typeof askToDelete>>) =>
  userEvent.click(dialog.getByRole('button', { name: 'Delete my data' }))

test('Download my data saves one JSON file, named by the day, with the server’s part and this browser’s, and no pair with an alert of a way', async () => {
  const { app, id } = await appWithPair()
  const present = (await app.db.session.get('current'))!
  await app.db.alerts.put(alertRow(present.owner, id, OF_WAY))
  app.answerCall('myData', () => ({ ok: true, value: SERVER }))
  app.render(<YourDataCard />)
  await download()
  await waitFor(() => expect(toasts(app)).toEqual([['success', `Saved as ${NAME}.`]]))
  expect(NAME).toMatch(/^crypto-ratio-tracker-2026-11-2[12]\.json$/)
  expect(await contents()).toMatchObject({
    server: { kind: 'guest', alerts: [BORROWED, { ...OF_WAY, coin_a_id: null, ratio: null, widget_id: null }] },
    browser: {
      widgets: [{ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }],
      alerts: [OF_WAY],
      theme: 'system',
      notifications: 'off',
    },
  })
  const text = (await saved.get(NAME))!
  expect([text.split('"side": "high"').length, text.includes(present.owner)]).toEqual([2, false])
})

test('Download my data without a network says so and offers this browser’s part, which is saved without the server’s', async () => {
  const { app } = await appWithPair()
  app.render(<YourDataCard />)
  await download()
  const question = within(await screen.findByRole('alertdialog', { name: 'The server could not be reached' }))
  expect(saved.size).toBe(0)
  await userEvent.click(question.getByRole('button', { name: 'Save this browser’s part' }))
  await waitFor(() => expect(saved.size).toBe(1))
  expect(await contents()).toMatchObject({ server: null, browser: { widgets: [{ coin_a_id: 'bitcoin' }] } })
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})

test('Download my data saves nothing when the user declines this browser’s part, or the server refuses', async () => {
  const app = await startLocalApp()
  app.render(<YourDataCard />)
  await download()
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  const refusal = { ok: false, status: 429, error_code: 'RATE_LIMITED', message: 'Too many attempts.' } as const
  app.answerCall('myData', () => refusal)
  await download()
  await waitFor(() => expect(toasts(app)).toEqual([['error', 'Too many attempts.']]))
  expect(saved.size).toBe(0)
})

test('Download my data says that it failed, and reports why, where the local database cannot be read', async () => {
  const reports = catchReports()
  const app = await startLocalApp()
  app.answerCall('myData', () => ({ ok: true, value: SERVER }))
  app.render(<YourDataCard />)
  await screen.findByRole('button', { name: 'Download my data' })
  app.db.close()
  await download()
  await waitFor(() =>
    expect(toasts(app)).toEqual([['error', 'Your data could not be loaded. Please try again later.']]),
  )
  expect(reports).toHaveLength(1)
  await app.db.open()
})

test('a guest’s Delete my data asks first, then deletes for the guest who was shown, and says so', async () => {
  const app = await startLocalApp()
  const owner = await ensureIdentity(app.services.commands, new Uint8Array(24))
  app.render(<YourDataCard />)
  const first = await askToDelete()
  await userEvent.click(first.getByRole('button', { name: 'Cancel' }))
  expect([screen.queryByRole('dialog'), app.calls]).toEqual([null, []])

  await confirm(await askToDelete())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.calls).toEqual([{ route: 'deleteMyData', owner }])
  expect(toasts(app)).toEqual([['success', 'Your data was deleted. This browser begins anew.']])
})

test('a guest’s Delete my data without a network says that nothing was deleted, and can be tried again', async () => {
  const app = await startLocalApp()
  app.answerCalls(() => ({ ok: false, status: 0, error_code: null, message: 'Network error.' }))
  app.render(<YourDataCard />)
  const dialog = await askToDelete()
  await confirm(dialog)
  await waitFor(() =>
    expect(dialog.getByRole('alert').textContent).toBe(
      'The server could not be reached. Check your connection and try again. Nothing was deleted here.',
    ),
  )
  app.answerCalls(() => ({ ok: true, value: null }))
  await confirm(dialog)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a user’s Delete my data leads into the deletion of the account, which asks for the password', async () => {
  const app = await startLocalApp()
  await signIn(app, {})
  app.render(<YourDataCard />)
  const dialog = await askToDelete()
  expect(dialog.getByLabelText('Password')).toBeDefined()
  expect(screen.getByRole('dialog', { name: 'Delete Account' })).toBeDefined()
})
