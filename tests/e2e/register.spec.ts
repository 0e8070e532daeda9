import { addPair, card, cardNames, installed } from './support/app'
import { expectGuest, expectSignedIn, guestPairsDialog, logIn, logOut, openAuth, send } from './support/auth'
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
