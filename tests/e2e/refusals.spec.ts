import { untilToast } from './support/app'
import { openPair, PAIR } from './support/board'
import { setThreshold, thresholdBox } from './support/threshold'
import { waitingChanges } from './support/truth'
import { expect, test } from './support/accounts-test'

test(
  'the user can read, retry and discard a refused change in the Waiting changes dialog',
  { tag: '@full' },
  async ({ page, network }) => {
    const refuse = () => {
      network.rule = ({ method, path }) =>
        method === 'PUT' && path.startsWith('/api/v1/widgets/')
          ? { error_code: 'VALIDATION_ERROR', detail: 'Not today' }
          : 'pass'
    }
    await openPair(page)
    refuse()
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

    refuse()
    await setThreshold(page, PAIR, 'Low', '0.5')
    await page.getByRole('button', { name: /refused/ }).click()
    await changes.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard', exact: true }).click()
    await expect(changes.getByText('Everything has arrived. Nothing waits.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(thresholdBox(page, PAIR, 'Low')).toHaveAccessibleDescription(/not set/)
  },
)
