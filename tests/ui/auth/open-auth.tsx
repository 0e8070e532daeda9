import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect } from 'vitest'
import { AccountDialogs } from '../support/open-dialog'
import { writeMeta } from '../../../src/db/database'
import { accountAtom } from '../../../src/state/account'
import { type AuthView, openDialogAtom } from '../../../src/state/open-dialogs'
import { type LocalApp, START, startLocalApp, refused } from '../support/local-app'

/** Nothing answered. */
export const UNANSWERED = refused(0, null, 'Network error or unable to connect. Failed to fetch')
/** The screens' sentence about it. */
export const UNREACHED = 'The server could not be reached. Check your connection and try again.'

export const POLICIES = {
  terms: { version: 'terms of May', path: '/terms' },
  privacy: { version: 'privacy of June', path: '/privacy' },
}

/** The auth dialog, opened at one of its views as buttons elsewhere open it. */
export async function openAuth(
  view: AuthView,
  prepare: (app: LocalApp) => unknown = () => undefined,
): Promise<LocalApp> {
  const app = await startLocalApp()
  await writeMeta(app.db, 'policies', { policies: POLICIES, fetched_at: START })
  await prepare(app)
  app.render(<AccountDialogs />)
  await waitFor(() => expect(app.store.get(accountAtom)?.policies).toEqual(POLICIES))
  act(() => app.store.set(openDialogAtom, { kind: 'auth', ...view }))
  return app
}

export const dialog = (name: string) => within(screen.getByRole('dialog', { name }))

/** Puts text into the field of that label, as a password manager does. */
export async function fill(label: string, text: string): Promise<void> {
  if (text === '') return
  await userEvent.click(screen.getByLabelText(label))
  await userEvent.paste(text)
}

/** The panel that took a form's place has its heading in the focus. */
export async function headingInFocus(name: string): Promise<void> {
  const heading = await screen.findByRole('heading', { name })
  await waitFor(() => expect(document.activeElement).toBe(heading))
}
