import { ratioOf } from '../support/app'
import { openBoard } from '../support/board'
import { expect, test } from '../support/test'

test('the offline dashboard is painted within one second, with a line about it and no alert', async ({
  page,
  context,
}) => {
  await openBoard(page, ['BTC / ETH', 'SOL / ETH'])
  await expect(ratioOf(page, 'SOL / ETH')).toHaveText(/^0\.\d+$/)
  await page.goto('about:blank')
  await context.setOffline(true)

  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelectorAll('article').length < 2) return
      observer.disconnect()
      // After the frame that holds the cards.
      requestAnimationFrame(() => setTimeout(() => performance.mark('painted')))
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/')
  const painted = () => page.evaluate(() => performance.getEntriesByName('painted')[0]?.startTime ?? Number.NaN)
  await expect.poll(painted).toBeGreaterThan(0)
  console.log(`offline, painted from the local database after ${Math.round(await painted())} ms`)
  expect(await painted()).toBeLessThan(1000)

  await expect(page.getByText('Offline')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
})
