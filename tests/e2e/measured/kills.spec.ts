import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright/test'
import { BROWSER_FLAGS, requireChromium } from '../../browser.mjs'
import { addPair, installed } from '../support/app'
import { cardChanges, type CardChange, switchOnWithoutPush } from '../support/card-changes'
import { boardWords, timeToPaint } from '../support/latency'
import { expect, test } from '../support/test'

/** Moments over each change. */
const KILLS = Number(process.env.KILLS ?? 2)
/** Milliseconds after the paint within which the moment lies. */
const WITHIN = 50

const WAYS = ['reload', 'end of the tab', 'end of the browser'] as const

interface Opened {
  readonly context: BrowserContext
  readonly page: Page
}

async function open(profile: string, baseURL: string | undefined): Promise<Opened> {
  const options = { executablePath: requireChromium(), args: [...BROWSER_FLAGS], ...(baseURL && { baseURL }) }
  const context = await chromium.launchPersistentContext(profile, options)
  return { context, page: context.pages()[0] ?? (await context.newPage()) }
}

/** The app after the page, its tab or its browser has ended; offline, so that only this browser can know of the change. */
async function endAndReturn(way: (typeof WAYS)[number], opened: Opened, again: () => Promise<Opened>): Promise<Opened> {
  const { context, page } = opened
  if (way === 'reload') {
    await page.reload()
    return opened
  }
  const protocol = await context.newCDPSession(page)
  if (way === 'end of the tab') {
    const crashed = page.waitForEvent('crash')
    protocol.send('Page.crash').catch(() => undefined)
    await crashed
    const next = await context.newPage()
    await page.close()
    await next.goto('/')
    return { context, page: next }
  }
  const closed = context.waitForEvent('close')
  protocol.send('Browser.crash').catch(() => undefined)
  await closed
  const next = await again()
  await next.context.setOffline(true)
  await next.page.goto('/')
  return next
}

test('a change that was painted outlives a reload and the end of its tab or of its browser in the next moments', async ({
  baseURL,
}) => {
  test.setTimeout(0)
  const profile = mkdtempSync(join(tmpdir(), 'e2e-kills-'))
  let opened = await open(profile, baseURL)
  await opened.page.goto('/')
  await installed(opened.page)
  await addPair(opened.page, 'Bitcoin', 'Ethereum')
  await addPair(opened.page, 'Solana', 'Ethereum')
  await opened.context.setOffline(true)
  const addAgain: CardChange = {
    what: 'add a pair',
    prepare: () => Promise.resolve(),
    act: (page) => addPair(page, 'Solana', 'Ethereum'),
    pattern: /^BTC.*\| SOL/,
  }
  const kept = new Map<string, number>()
  const lost: string[] = []
  for (let round = 0; round < KILLS; round += 1) {
    for (const { what, prepare, act, pattern } of [...cardChanges(switchOnWithoutPush), addAgain]) {
      const way = WAYS[Math.floor(Math.random() * 2.2)]!
      const after = Math.random() * WITHIN
      await prepare(opened.page)
      await timeToPaint(opened.page, pattern, () => act(opened.page))
      await opened.page.waitForTimeout(after)
      opened = await endAndReturn(way, opened, () => open(profile, baseURL))
      await opened.page.getByRole('article').first().waitFor()
      const said = await boardWords(opened.page)
      if (new RegExp(pattern.source, 's').test(said)) kept.set(way, (kept.get(way) ?? 0) + 1)
      else lost.push(`${what}, ${way} ${after.toFixed(0)} ms after the paint: ${said}`)
    }
  }
  console.log(`kept: ${[...kept].map(([way, times]) => `${times} over a ${way}`).join(', ')}; lost: ${lost.length}`)
  expect(lost).toEqual([])
  await opened.context.close()
  rmSync(profile, { recursive: true, force: true })
})
