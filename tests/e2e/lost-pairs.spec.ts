import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillFolder } from '../server/support/prepared-folder'
import { card } from './support/app'
import { startAppServer, type AppServer } from './support/app-server'
import { fetchBoard, openBoard, PAIR } from './support/board'
import { expect, test as base } from './support/test'
import { setThreshold } from './support/threshold'
import { anonymousId, waitingChanges, widgetsOnServer } from './support/truth'

/** A server that loses all it has. */
interface Forgetful extends AppServer {
  forget(): Promise<void>
}

const test = base.extend<{ forgetful: Forgetful }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  forgetful: async ({}, use) => {
    const server = await startAppServer()
    const empty = mkdtempSync(join(tmpdir(), 'e2e-empty-'))
    await fillFolder(empty)
    await use({ ...server, forget: () => server.restart({ env: { DATA_DIR: empty } }) })
    expect(await server.stop(), 'the server ends cleanly').toBe(0)
    rmSync(empty, { recursive: true, force: true })
  },
  baseURL: async ({ forgetful }, use) => use(forgetful.origin),
})

test(
  'pairs that the server has lost stay on a guest’s board, and “Send again” puts them back with their thresholds',
  { tag: '@full' },
  async ({ page, forgetful }) => {
    const onServer = async () => {
      const widgets = await widgetsOnServer(forgetful.origin, { guest: await anonymousId(page) })
      return widgets.map(({ coin_a_id, high_threshold }) => [coin_a_id, high_threshold])
    }
    await openBoard(page, [PAIR, 'SOL / ETH'])
    await setThreshold(page, PAIR, 'High', '1000')
    await expect.poll(() => waitingChanges(page)).toBe(0)
    const before = await onServer()
    expect(before).toEqual([
      ['bitcoin', 1000],
      ['solana', null],
    ])

    await forgetful.forget()
    await fetchBoard(page)
    const panel = page.getByRole('region', { name: 'Pairs that the server no longer has' })
    await expect(panel.getByText('The server no longer has your pairs.')).toBeVisible({ timeout: 30_000 })
    expect(await onServer()).toEqual([])
    for (const pair of [PAIR, 'SOL / ETH']) await expect(card(page, pair)).toBeVisible()

    await panel.getByRole('button', { name: 'Send again', exact: true }).click()
    await expect(panel).toBeHidden()
    await expect.poll(onServer, { timeout: 30_000 }).toEqual(before)
    await expect.poll(() => waitingChanges(page)).toBe(0)
  },
)
