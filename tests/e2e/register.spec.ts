import { addPair, card, cardNames, installed } from './support/app'
import {
  authDialog,
  expectGuest,
  expectSignedIn,
  field,
  guestPairsDialog,
  logIn,
  logOut,
  openAuth,
  send,
} from './support/auth'
import { expect, test } from './support/account-test'
import { linkIn } from '../support/mailbox'
import { signInElsewhere } from './support/person'
import { anonymousId, pairsOnServer, widgetsOnServer } from './support/truth'

test(
  'a guest registers, verifies the address, logs in, accepts the policies and brings their pair along',
  { tag: '@full' },
  async ({ page: first, context, world, stranger }) => {
    let page = first
    await page.goto('/')
    await installed(page)
    await addPair(page, 'Bitcoin', 'Ethereum')
    const guest = await anonymousId(page)

    const dialog = await openAuth(page, 'Register')
    const { email, password } = stranger
    await send(dialog, { Email: email, Password: password, 'Confirm password': password })
    await expect(dialog.getByText(email), 'it says where to look for the mail').toBeVisible()
    const mail = await world.mailbox.next(email)
    const link = linkIn(mail, '/verify-email')
    expect(link.origin).toBe(world.server.origin)

    // Another tab than the one that registered, with the link alone.
    await page.close()
    page = await context.newPage()
    await page.goto(link.href)
    await expect(page.getByRole('heading', { name: 'Your email is verified' })).toBeVisible()
    await page.waitForURL('**/login', { timeout: 10_000 })

    const login = page.getByRole('main')
    await expect(page.getByRole('heading', { name: 'Log In', exact: true })).toBeVisible()
    await send(login, { Email: email, Password: password })

    await expect(page.getByRole('link', { name: 'Dashboard', exact: true }), 'not before they agree').toHaveCount(0)
    const accept = page.getByRole('button', { name: 'Accept and Continue', exact: true })
    await page.getByRole('checkbox', { name: /Terms of Use/ }).check()
    await page.getByRole('checkbox', { name: /Privacy Policy/ }).check()
    await accept.click()

    await expectSignedIn(page, email)
    await expect(page, 'a page of its own leads on to the dashboard').toHaveURL(/\/$/)
    await guestPairsDialog(page).getByRole('button', { name: 'Bring them along', exact: true }).click()
    await expect(card(page, 'BTC / ETH')).toBeVisible()
    await addPair(page, 'Solana', 'Ethereum')
    const { access_token } = await signInElsewhere(world.server.origin, stranger)
    const own = async () => (await widgetsOnServer(world.server.origin, { token: access_token })).length
    await expect.poll(own).toBe(2)

    await logOut(page)
    await expectGuest(page)
    await expect(page.getByText("You haven't added any crypto pairs yet."), 'the guest’s copy has gone').toBeVisible()
    await expect.poll(() => pairsOnServer(world.server.origin, guest)).toEqual([])
    expect(await anonymousId(page)).toBe(guest)
    await page.goto('/')
    await logIn(page, stranger)
    await expect.poll(() => cardNames(page)).toEqual(['BTC / ETH', 'SOL / ETH'])
    await expect(guestPairsDialog(page)).toHaveCount(0)
  },
)

test(
  'the registration form shows each error at its field and keeps the input',
  { tag: '@full' },
  async ({ page, member, stranger }) => {
    await page.goto('/')
    await installed(page)
    const dialog = await openAuth(page, 'Register')
    const { email, password } = stranger

    await send(dialog, { Password: password, 'Confirm password': password })
    await expect(field(dialog, 'Email')).toBeFocused()
    await expect(field(dialog, 'Email')).toHaveAccessibleDescription(/e-?mail/i)

    await send(dialog, { Email: email, Password: password, 'Confirm password': `${password}!` })
    await expect(dialog.getByText('Passwords do not match.')).toBeVisible()
    await send(dialog, { Password: 'short', 'Confirm password': 'short' })
    await expect(dialog.getByText('Password must be at least 8 characters long.')).toBeVisible()

    await send(dialog, { Email: member.email, Password: password, 'Confirm password': password })
    const hint = dialog.getByText(/Email already registered/)
    await expect(hint).toBeVisible()
    await expect(dialog).toContainText(/verification e-?mail/i)
    await expect(dialog).toContainText(/log in/i)
    await expect(dialog).toContainText(/reset/i)

    await page.context().setOffline(true)
    await send(dialog, { Email: email, Password: password, 'Confirm password': password })
    await expect(dialog.getByText(/The server could not be reached/)).toBeVisible()
    await expect(field(dialog, 'Email'), 'nothing that was typed is lost').toHaveValue(email)
    await page.context().setOffline(false)
    await expectGuest(page)
  },
)

test(
  'the pages /register and /login show the forms without a dialog',
  { tag: '@full' },
  async ({ page, stranger, world }) => {
    await page.goto('/register')
    await expect(page.getByRole('heading', { name: 'Register', exact: true })).toBeVisible()
    const { email, password } = stranger
    const form = page.getByRole('main')
    await send(form, { Email: email, Password: password, 'Confirm password': password })
    await expect(form.getByText(email)).toBeVisible()
    await world.mailbox.next(email)
    await page.goto('/login')
    await expect(authDialog(page, 'Log In'), 'a page is not a dialog').toHaveCount(0)
    await expect(field(page.getByRole('main'), 'Email')).toBeVisible()
  },
)
