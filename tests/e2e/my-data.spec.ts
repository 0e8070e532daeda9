import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import { cardNames, installed, untilToast } from './support/app'
import { expect, test } from './support/account-test'
import { savePair } from './support/saved-pair'
import { anonymousId, pairsOnServer } from './support/truth'

interface DataFile {
  readonly server: { readonly kind: string; readonly widgets: readonly { readonly coin_a_id: string }[] }
  readonly browser: object | null
}

const deleteButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Delete my data', exact: true })

test(
  'a guest downloads their data as a file, and deletes it at the server and in the browser, which gets a new identity',
  { tag: '@full' },
  async ({ page, world }) => {
    await page.goto('/')
    await installed(page)
    await savePair(page, 'Bitcoin', 'Ethereum')
    const guest = await anonymousId(page)
    await page.goto('/settings')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download my data', exact: true }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^crypto-ratio-tracker-\d{4}-\d{2}-\d{2}\.json$/)
    const text = await readFile(await file.path(), 'utf8')
    const { server, browser } = JSON.parse(text) as DataFile
    expect(server.kind).toBe('guest')
    expect(server.widgets.map(({ coin_a_id }) => coin_a_id)).toEqual(['bitcoin'])
    expect(browser).not.toBeNull()
    expect(text, 'whoever reads the file cannot act as the guest').not.toContain(guest)

    await deleteButton(page).click()
    const dialog = page.getByRole('dialog', { name: 'Delete my data', exact: true })
    await dialog.getByRole('button', { name: 'Delete my data', exact: true }).click()
    await untilToast(page, 'Your data was deleted.')
    await expect(dialog).toBeHidden()
    expect(await pairsOnServer(world.server.origin, guest)).toEqual([])

    await page.goto('/')
    await expect(page.getByText("You haven't added any crypto pairs yet.")).toBeVisible()
    await savePair(page, 'Solana', 'Ethereum')
    expect(await anonymousId(page)).not.toBe(guest)
    expect(await cardNames(page)).toEqual(['SOL / ETH'])
  },
)

test(
  'a setup that one browser has downloaded is loaded by another one, without an account and without a network',
  { tag: '@full' },
  async ({ page, openBrowser }) => {
    await page.goto('/')
    await installed(page)
    await savePair(page, 'Bitcoin', 'Ethereum')
    await savePair(page, 'Solana', 'Ethereum')
    await page.goto('/settings')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download setup', exact: true }).click(),
    ])

    const context = await openBrowser()
    const [other] = context.pages() as [Page]
    await other.goto('/')
    await installed(other)
    await savePair(other, 'Solana', 'Ethereum')
    await other.goto('/settings')
    const load = other.getByRole('button', { name: 'Load setup', exact: true })
    await expect(load).toBeVisible()
    await context.setOffline(true)
    const [chooser] = await Promise.all([other.waitForEvent('filechooser'), load.click()])
    await chooser.setFiles(await file.path())
    const preview = other.getByRole('dialog', { name: 'Load setup' })
    await expect(preview).toContainText('Adds 1 pair')
    await expect(preview).toContainText('Skips 1 pair')
    await preview.getByRole('button', { name: 'Load setup', exact: true }).click()
    await untilToast(other, 'Setup loaded.')
    await other.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
    await expect.poll(() => cardNames(other)).toEqual(['SOL / ETH', 'BTC / ETH'])
    await context.setOffline(false)
    const origin = new URL(other.url()).origin
    const guest = await anonymousId(other)
    await expect.poll(() => pairsOnServer(origin, guest)).toEqual(['solana/ethereum', 'bitcoin/ethereum'])
  },
)
