import type { Page } from 'playwright/test'
import { installed, untilToast } from './support/app'
import { expect, test } from './support/account-test'
import { expectGuest, expectSignedIn, logIn, logOut, openAuth } from './support/auth'
import type { Person } from './support/person'
import type { ProviderUser } from '../support/identity-provider'

const NOT_LINKED = 'There is an account with this email address already. Log in to it, then link Google in Settings.'

/** With an address at a mail server that Google does not run. */
const outsideGoogle = ({ email }: Person): ProviderUser => ({ sub: `google-${email}`, email, email_verified: true })
/** With an address of a Workspace, whose mailbox Google runs. */
const atGoogle = (person: Person, email_verified = true): ProviderUser => ({
  ...outsideGoogle(person),
  email_verified,
  hd: person.email.slice(person.email.indexOf('@') + 1),
})

async function signInWithGoogle(page: Page): Promise<void> {
  const dialog = await openAuth(page, 'Login')
  await expect(dialog.getByText('With Google you accept the')).toBeVisible()
  await dialog.getByRole('button', { name: /google/i }).click()
}

test(
  'a new user signs in with Google, without another page or question of ours, and signs in again',
  { tag: '@full' },
  async ({ page, world, stranger }) => {
    world.google.signsIn(atGoogle(stranger))
    await page.goto('/')
    await installed(page)
    await signInWithGoogle(page)
    await expectSignedIn(page, stranger.email)
    await expect(page).toHaveURL(`${world.server.origin}/`)

    const asked = world.google.requests().at(-1)
    expect(asked?.get('response_type')).toBe('code')
    expect(asked?.get('scope')?.split(' ').toSorted()).toEqual(['email', 'openid', 'profile'])
    expect(asked?.get('access_type')).toBe('offline')
    expect(asked?.get('prompt')).toBe('consent')
    expect(asked?.get('code_challenge_method')).toBe('S256')
    expect(asked?.get('nonce')?.length).toBeGreaterThan(15)
    expect(asked?.get('state')?.length).toBeGreaterThan(15)

    await logOut(page)
    await expectGuest(page)
    await signInWithGoogle(page)
    await expectSignedIn(page, stranger.email)
  },
)

test(
  'a Google login with an address outside Google does not open the account that has it; its user links Google in Settings',
  { tag: '@full' },
  async ({ page, world, member }) => {
    world.google.signsIn(outsideGoogle(member))
    await page.goto('/')
    await installed(page)
    await signInWithGoogle(page)
    await page.waitForURL('**/login')
    await untilToast(page, NOT_LINKED)
    await page.goto('/')
    await expectGuest(page)

    await logIn(page, member)
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Link Google', exact: true }).click()
    await untilToast(page, 'Google can log in to your account from now on.')
    await expect(page).toHaveURL(`${world.server.origin}/settings`)
    await expect(page.getByText('Linked', { exact: true })).toBeVisible()

    await page.goto('/')
    await logOut(page)
    await expectGuest(page)
    await signInWithGoogle(page)
    await expectSignedIn(page, member.email)

    await page.goto('/settings')
    await page.getByRole('button', { name: 'Remove Google', exact: true }).click()
    const sure = page.getByRole('alertdialog', { name: 'Remove Google?' })
    await sure.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByText('Not linked', { exact: true })).toBeVisible()
  },
)
