import { expect, type Locator, type Page } from 'playwright/test'
import { installed } from './app'
import type { Person } from './person'

type Form = 'Log In' | 'Register' | 'Forgot Password' | 'Reset Password'

export const authDialog = (page: Page, name: Form): Locator => page.getByRole('dialog', { name, exact: true })

/** A field of a form by its label: a password box has no role. */
export const field = (form: Locator, label: string): Locator => form.getByLabel(label, { exact: true })

/** Opens the dialog from the sidebar, as a guest finds it. */
export async function openAuth(page: Page, button: 'Login' | 'Register'): Promise<Locator> {
  await page.getByRole('banner').getByRole('button', { name: button, exact: true }).click()
  const dialog = authDialog(page, button === 'Login' ? 'Log In' : 'Register')
  await expect(field(dialog, 'Email')).toBeFocused()
  return dialog
}

/** Fills the fields that are named, and sends the form by Enter in the last of them. */
export async function send(form: Locator, values: Readonly<Record<string, string>>): Promise<void> {
  const labels = Object.keys(values)
  for (const label of labels) await field(form, label).fill(values[label] ?? '')
  await field(form, labels.at(-1) ?? '').press('Enter')
}

/** Signs in by the dialog, on a desktop's dashboard. */
export async function logIn(page: Page, { email, password }: Person): Promise<void> {
  const dialog = await openAuth(page, 'Login')
  await send(dialog, { Email: email, Password: password })
  await expectSignedIn(page, email)
  await expect(dialog).toBeHidden()
}

/** The question to a user whose browser still has pairs of its guest. */
export const guestPairsDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Bring your pairs along?' })

/** Leaves the pairs that a guest has made before the login with the guest. */
export async function leaveGuestPairs(page: Page): Promise<void> {
  await guestPairsDialog(page).getByRole('button', { name: 'Not now', exact: true }).click()
  await expect(guestPairsDialog(page)).toBeHidden()
}

/** Opens the app as somebody signed in, with the service worker at work. */
export async function openSignedIn(page: Page, person: Person): Promise<void> {
  await page.goto('/')
  await installed(page)
  await logIn(page, person)
}

export const expectSignedIn = (page: Page, email: string): Promise<void> =>
  expect(page.getByRole('banner').getByText(email, { exact: true })).toBeVisible()

export const expectGuest = (page: Page): Promise<void> =>
  expect(page.getByRole('banner').getByRole('button', { name: 'Login', exact: true })).toBeVisible()

export const logOut = (page: Page): Promise<void> => page.getByRole('button', { name: 'Logout', exact: true }).click()
