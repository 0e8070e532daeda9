import type { Page } from 'playwright/test'
import { addPair, card, cardNames, askToRemove, removePair, untilToast } from './support/app'
import { openBoard, PAIR } from './support/board'
import { type PairName } from './support/seed-board'
import type { FaultyProxy, Refusal } from './support/faulty-proxy'
import { alertSwitch, setThreshold, shownRatio, thresholdBox } from './support/threshold'
import { anonymousId, waitingChanges, widgetsOnServer } from './support/truth'
import { expect, test } from './support/accounts-test'

const NO: Refusal = { error_code: 'VALIDATION_ERROR', detail: 'Not today' }

/** From now on the server refuses every change of this kind; the others pass. */
const refuse = (network: FaultyProxy, method: string, path: RegExp, refusal: Refusal = NO) => {
  network.rule = (asked) => (asked.method === method && path.test(asked.path) ? refusal : 'pass')
}
const WIDGETS = /^\/api\/v1\/widgets$/
const WIDGET = /^\/api\/v1\/widgets\/[^/]+$/

async function openPairs(page: Page, pairs: readonly PairName[]): Promise<void> {
  await openBoard(page, pairs)
  await shownRatio(page, PAIR)
}
const ONE = [PAIR] as const

test.describe('refused changes of a guest', () => {
  test(
    'a refused threshold and a refused alert switch revert with a toast',
    { tag: '@full' },
    async ({ page, network, push }) => {
      await openPairs(page, ONE)
      refuse(network, 'PUT', WIDGET)
      await setThreshold(page, PAIR, 'High', '1000')
      await untilToast(page, /^Failed to update BTC\/ETH: Not today\. Reverting change\./)
      await expect(thresholdBox(page, PAIR, 'High')).toHaveAccessibleDescription(/not set/)
      await alertSwitch(page, PAIR).click()
      await untilToast(page, /^Failed to update/)
      await expect(alertSwitch(page, PAIR)).not.toBeChecked()
      expect(push.subscription(), 'the device stays reachable, for the next pair').not.toBeNull()
    },
  )

  test(
    'a refused new pair disappears, and a pair whose removal is refused returns to its place',
    { tag: '@full' },
    async ({ page, network, accounts }) => {
      await openPairs(page, [PAIR, 'SOL / ETH', 'XRP / ETH'])
      refuse(network, 'POST', WIDGETS, { error_code: 'WIDGET_LIMIT_REACHED', detail: 'Full' })
      await addPair(page, 'Cardano', 'Ethereum')
      await untilToast(page, "You've reached the maximum number of widgets for your tier. Please upgrade to add more.")
      await expect(card(page, 'ADA / ETH')).toHaveCount(0)
      refuse(network, 'DELETE', WIDGET)
      await askToRemove(page, 'SOL / ETH')
      await untilToast(page, /^Failed to remove SOL\/ETH: Not today\./)
      await expect.poll(() => cardNames(page)).toEqual(['BTC / ETH', 'SOL / ETH', 'XRP / ETH'])

      network.rule = () => 'pass'
      const { origin } = accounts.server
      const guest = await anonymousId(page)
      const [, gone] = await widgetsOnServer(origin, { guest })
      // Another device of the same guest was quicker.
      const removal = { method: 'DELETE', headers: { 'X-Anonymous-User-ID': guest } }
      expect((await fetch(`${origin}/api/v1/widgets/${gone?.id}`, removal)).status).toBe(204)
      await removePair(page, 'SOL / ETH')
      await untilToast(page, 'Pair SOL/ETH was already removed from server.')
      await expect.poll(() => cardNames(page)).toEqual(['BTC / ETH', 'XRP / ETH'])
    },
  )

  test(
    'the user can read, retry and discard a refused change in the Waiting changes dialog',
    { tag: '@full' },
    async ({ page, network }) => {
      await openPairs(page, ONE)
      refuse(network, 'PUT', WIDGET)
      await setThreshold(page, PAIR, 'High', '1000')
      await untilToast(page, /^Failed to update/)
      await page.getByRole('button', { name: /refused/ }).click()
      const changes = page.getByRole('dialog', { name: 'Waiting changes' })
      await expect(changes.getByRole('listitem')).toContainText('Refused')
      await expect(changes.getByRole('listitem')).toContainText('Not today')

      network.rule = () => 'pass'
      await changes.getByRole('button', { name: 'Retry', exact: true }).click()
      await expect(changes.getByText('Everything has arrived. Nothing waits.')).toBeVisible()
      await expect.poll(() => waitingChanges(page)).toBe(0)
      await page.keyboard.press('Escape')
      await expect(thresholdBox(page, PAIR, 'High')).toHaveAccessibleDescription(/armed/)

      refuse(network, 'PUT', WIDGET)
      await setThreshold(page, PAIR, 'Low', '0.5')
      await page.getByRole('button', { name: /refused/ }).click()
      await changes.getByRole('button', { name: 'Discard', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(changes.getByText('Everything has arrived. Nothing waits.')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(thresholdBox(page, PAIR, 'Low')).toHaveAccessibleDescription(/not set/)
    },
  )
})
