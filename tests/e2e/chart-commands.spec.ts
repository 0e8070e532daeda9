import { readFileSync } from 'node:fs'
import type { HistoryRow, PricesRow } from '../../src/db/rows'
import type { CoinId } from '../../src/domain/ids'
import { onChart, openPairChart } from './support/pair-chart'
import { readTable } from './support/truth'
import { expect, test } from './support/test'

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
