import { addPair, card, cardNames, installed } from './support/app'
import { expectGuest, expectSignedIn, field, guestPairsDialog, logIn, logOut, openAuth } from './support/auth'
import { expect, test } from './support/account-test'
import { linkIn } from '../support/mailbox'
import { call } from './support/person'
import { anonymousId, pairsOnServer, widgetsOnServer } from './support/truth'

test(
  'a guest is registered and synced after four taps, with their pair, and verifies the address afterwards',
  { tag: '@full' },
  async ({ page: first, context, world, stranger }) => {
    let page = first
    await page.goto('/')
    await installed(page)
    await addPair(page, 'Bitcoin', 'Ethereum')
    const guest = await anonymousId(page)
    const { email, password } = stranger

    await page.evaluate(() => {
      const taps = { count: 0 }
      Object.assign(globalThis, { taps })
      addEventListener('click', () => (taps.count += 1), { capture: true })
    })
    const dialog = await openAuth(page, 'Register')
    await expect(dialog.getByRole('checkbox', { name: 'Bring my pair along' })).toBeChecked()
    await expect(dialog.getByText('you accept the')).toBeVisible()
    await page.keyboard.insertText(email)
    for (const name of ['Password', 'Confirm password']) {
      await field(dialog, name).click()
      await page.keyboard.insertText(password)
    }
    await dialog.getByRole('button', { name: 'Register', exact: true }).click()
    await expectSignedIn(page, email)
    await expect(card(page, 'BTC / ETH')).toBeVisible()
    await expect.poll(() => pairsOnServer(world.server.origin, guest)).toHaveLength(1)
    const line = () => page.getByText(`Open the link in the mail to ${email}`)
    await expect(line()).toBeVisible()
    await expect(guestPairsDialog(page)).toHaveCount(0)
    expect(await page.evaluate(() => (globalThis as unknown as { taps: { count: number } }).taps.count)).toBe(4)

    const link = linkIn(await world.mailbox.next(email), '/verify-email')
    expect(link.origin).toBe(world.server.origin)
    // Another tab than the one that registered, with the link alone.
    await page.close()
    page = await context.newPage()
    await page.goto(link.href)
    await expect(page.getByRole('heading', { name: 'Your email is verified' })).toBeVisible()
    await page.waitForURL('**/', { timeout: 10_000 })
    await expectSignedIn(page, email)
    await expect(card(page, 'BTC / ETH')).toBeVisible()
    await expect(line()).toHaveCount(0)

    await addPair(page, 'Solana', 'Ethereum')
    const form = { username: email, password }
    const { access_token } = (await call(world.server.origin, 'POST', '/auth/login', { form })) as {
      readonly access_token: string
    }
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
