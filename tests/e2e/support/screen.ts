import type { Page } from 'playwright/test'
import { test } from './test'
import { checkViews } from './views'

/** A screen, dialog or state; each goes on where the one before left the page. */
export interface Screen {
  readonly name: string
  readonly open: (page: Page) => Promise<unknown>
  readonly close?: (page: Page) => Promise<unknown>
}

/** Opens an address of the app as its links do, without loading the page anew. */
export async function go(page: Page, address: string): Promise<void> {
  await page.evaluate((url) => history.pushState(null, '', url), address)
}

export const escape = (page: Page): Promise<void> => page.keyboard.press('Escape')

/** Of transitions, to the product's own. */
const PLAYBACK_RATE = 20

/** Looks at each in every view, all in one visit, in which transitions are soon at their end. */
export async function lookAt(page: Page, screens: readonly Screen[]): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Animation.enable')
  await protocol.send('Animation.setPlaybackRate', { playbackRate: PLAYBACK_RATE })
  for (const { name, open, close } of screens) {
    await test.step(name, async () => {
      await open(page)
      await checkViews(page, name)
      await close?.(page)
    })
  }
  await protocol.detach()
}
