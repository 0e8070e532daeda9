import { card } from './support/app'
import { described, onServer, openPair, PAIR } from './support/board'
import { setThreshold } from './support/threshold'
import { readTable, waitingChanges } from './support/truth'
import { expect, test } from './support/test'

test(
  'thresholds set offline survive a reload, show in a second tab and reach the server',
  { tag: '@full' },
  async ({ page, context, server }) => {
    const ratio = await openPair(page)
    await expect.poll(() => waitingChanges(page)).toBe(0)
    const other = await context.newPage()
    await other.goto('/')
    await expect(card(other, PAIR)).toBeVisible()

    await context.setOffline(true)
    await setThreshold(page, PAIR, 'High', String(ratio * 2))
    await setThreshold(page, PAIR, 'Low', String(ratio / 2))
    for (const tab of [page, other]) {
      await described(tab, 'High', /(?<!dis)armed/)
      await described(tab, 'Low', /(?<!dis)armed/)
    }
    const stored = async () => JSON.stringify(await readTable(page, 'outbox'))
    await expect.poll(stored, 'both are stored').toContain('low_threshold')
    await page.reload()
    await described(page, 'High', /(?<!dis)armed/)
    await expect(page.getByRole('button', { name: /changes? waits?/ })).toBeVisible()

    await context.setOffline(false)
    await expect.poll(() => waitingChanges(page), { timeout: 30_000 }).toBe(0)
    const widget = await onServer(page, server.origin)
    expect(widget?.high_threshold).toBeCloseTo(ratio * 2, 6)
    expect(widget?.low_threshold).toBeCloseTo(ratio / 2, 6)
    await described(page, 'High', /(?<!dis)armed/)
  },
)
