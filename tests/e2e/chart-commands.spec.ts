import { readFileSync } from 'node:fs'
import type { HistoryRow, PricesRow } from '../../src/db/rows'
import type { CoinId } from '../../src/domain/ids'
import { chart, onCard, untilToast } from './support/app'
import { PAIR } from './support/board'
import { onChart, openPairChart } from './support/pair-chart'
import { anonymousId, readTable, widgetsOnServer } from './support/truth'
import { expect, test } from './support/test'

test(
  'the chart’s Set Alerts button saves the current bands as thresholds on the card and on the server',
  { tag: '@full' },
  async ({ page, server }) => {
    await openPairChart(page)
    const set = onChart(page, 'Set Alerts')
    await expect(set, 'without bands there is nothing to set').toBeDisabled()
    await onChart(page, 'show the bands first').click()
    const bands = chart(page, PAIR).getByText(/^Current Bands: /)
    await expect(bands).toHaveText(/^Current Bands: [\d.]+ \/ [\d.]+$/)
    const alerts = chart(page, PAIR).getByText(/^Widget Alerts: /)
    /** Presses Set Alerts; returns the bands that are shown at that moment, since they move with the prices. */
    const pressSet = async () => {
      await expect(set).toBeEnabled()
      const button = await set.elementHandle()
      const text = await bands.evaluate((line, pressed) => {
        const { textContent } = line
        ;(pressed as HTMLElement).click()
        return textContent
      }, button)
      return text.replace('Current Bands: ', '')
    }
    const first = await pressSet()
    const toast = await untilToast(page, 'Alert thresholds updated for BTC/ETH based on chart bands.')
    await expect(alerts).toHaveText(`Widget Alerts: ${first}`)
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect(alerts).toHaveText('Widget Alerts: N/A / N/A')
    const shown = await pressSet()
    await expect(alerts).toHaveText(`Widget Alerts: ${shown}`)

    const guest = await anonymousId(page)
    const [high, low] = shown.split(' / ').map(Number)
    const onServer = async () => {
      const [widget] = await widgetsOnServer(server.origin, { guest })
      const { high_threshold, low_threshold, high_threshold_active, low_threshold_active } = widget!
      const rounded = [high_threshold, low_threshold].map((value) => Number(value?.toPrecision(3)))
      return [...rounded, high_threshold_active, low_threshold_active]
    }
    // The ratio lies between the bands, so both are armed.
    await expect.poll(onServer).toEqual([high, low, true, true])
    await page.goBack()
    await expect(onCard(page, PAIR, 'High threshold')).toContainText(/\d/)
    await expect(onCard(page, PAIR, 'Low threshold')).toContainText(/\d/)
  },
)

test(
  'the exported CSV file equals the price history in the local database, row for row',
  { tag: '@full' },
  async ({ page }) => {
    await openPairChart(page)
    const [download] = await Promise.all([page.waitForEvent('download'), onChart(page, 'Export CSV').click()])
    expect(download.suggestedFilename()).toBe('btc_eth_historical.csv')
    const [heading, ...rows] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n')
    expect(heading).toBe('Timestamp,BTC Price (USD),ETH Price (USD)')

    const stored = (await readTable(page, 'history')) as readonly HistoryRow[]
    const of = (coin: string) => stored.find(({ id }) => id === `${coin}:thirtyMinutely`)!
    const [bitcoin, ethereum] = [of('bitcoin'), of('ethereum')]
    const first = bitcoin.times.findIndex((time) => new Date(time).toISOString() === rows[0]?.split(',')[0])
    expect(first, 'the first row is one of the points').toBeGreaterThanOrEqual(0)
    expect(bitcoin.times[first]! - (Date.now() - 7 * 86_400_000), 'seven days').toBeLessThan(1_800_000)
    const stand = Array.from({ length: bitcoin.times.length - first }, (_, i) => {
      const time = bitcoin.times[first + i]!
      // Both coins are sampled at the same times, so that nothing lies between them.
      const at = ethereum.times.indexOf(time)
      return `${new Date(time).toISOString()},${bitcoin.prices[first + i]},${ethereum.prices[at]}`
    })
    expect(stand.length).toBeGreaterThan(300)
    expect(rows.slice(0, stand.length)).toEqual(stand)
    // After the stored points comes the live one, that of the card.
    const live = rows.slice(stand.length).map((row) => row.split(',').slice(1).map(Number))
    const [latest] = (await readTable(page, 'prices')) as readonly PricesRow[]
    const now = (coin: string) => latest?.prices[coin as CoinId]?.usd
    expect(live).toEqual([[now('bitcoin'), now('ethereum')]])
  },
)

test(
  'the chart’s table lists the visible points and follows zoom and the shown lines',
  { tag: '@full' },
  async ({ page }) => {
    await openPairChart(page)
    const table = chart(page, PAIR).getByRole('table')
    const caption = table.locator('caption')
    await expect(caption, 'there for screen readers from the start').toHaveText(
      /^\d+ of 33\d visible points, newest last/,
    )
    await onChart(page, 'Show table').click()
    await expect(table.getByRole('columnheader')).toHaveText(['Time', 'Ratio'])
    await onChart(page, 'EMA (1d Target)').click()
    await expect(table.getByRole('columnheader')).toHaveText(['Time', 'Ratio', 'EMA (1d Target)'])
    const rows = table.getByRole('rowheader')
    expect(await rows.count()).toBeLessThanOrEqual(200)
    await expect(rows.first()).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{2}:\d{2}$/)

    const over = chart(page, PAIR).locator('.u-over')
    await over.hover()
    for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -400)
    await expect(caption).toHaveText(/^\d{1,3} visible points, newest last/)
    await onChart(page, 'Hide table').click()
    await expect(onChart(page, 'Show table')).toBeVisible()
  },
)
