import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, expect, test } from 'playwright/test'
import { BROWSER_FLAGS, requireChromium } from '../../browser.mjs'
import { openBoard } from '../../e2e/support/board'
import { table } from '../support/table'
import { cleanUp, newStorage, startMeasured } from './support/measured-server'
import { newsBy } from './support/two-browsers'

const MINUTES = Number(process.env.IDLE_MINUTES ?? 5)
/** Milliseconds that the start of an app takes at most, with all that it fetches in its background. */
const START = 30_000
const MOST_AN_HOUR = 4
const PAIRS = ['BTC / ETH', 'SOL / ETH'] as const

test.afterEach(cleanUp)

test(`an open app that nobody touches asks its server at most ${MOST_AN_HOUR} times an hour, counted at the server for ${MINUTES} minutes`, async () => {
  const { origin, process } = await startMeasured(await newStorage('PGlite'), { LOG_LEVEL: 'debug' })
  const browser = await chromium.launch({ executablePath: requireChromium(), args: [...BROWSER_FLAGS] })
  try {
    const page = await (await browser.newContext({ baseURL: origin })).newPage()
    await openBoard(page, PAIRS)
    await expect.poll(() => newsBy(page), { timeout: 30_000 }).toBe('live')
    await sleep(START)

    const begun = requests(process.output()).length
    expect(begun, 'requests of the start, as the server’s log has them').toBeGreaterThan(5)
    await sleep(MINUTES * 60_000)
    const asked = requests(process.output()).slice(begun)
    const anHour = (asked.length * 60) / MINUTES
    console.log(`\nRequests of an open app that nobody touches, ${PAIRS.length} pairs, in ${MINUTES} minutes:`)
    const rows = [
      ['of the start', String(begun), ''],
      [`in ${MINUTES} minutes after it`, asked.join(', ') || 'none', ''],
      ['an hour, were it to go on so', anHour.toFixed(0), String(MOST_AN_HOUR)],
    ]
    console.log(table(['', '', 'bound'], rows))
    expect.soft(await newsBy(page), 'the stream has lasted').toBe('live')
    // A request that comes once an hour may come in these minutes.
    expect(asked.length).toBeLessThanOrEqual(MOST_AN_HOUR * Math.max(1, MINUTES / 60))
  } finally {
    await browser.close()
  }
})

/** Methods and paths of the requests in the server's log; a stream is there once it has ended. */
const requests = (log: string): string[] =>
  log.split('\n').flatMap((line) => {
    if (!line.includes('"msg":"request"')) return []
    const { method, path } = JSON.parse(line) as { method: string; path: string }
    return [`${method} ${path}`]
  })
