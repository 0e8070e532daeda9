import { expect, type Page } from 'playwright/test'
import { addPair } from './app'
import { waitingChanges } from './truth'

/** Adds a pair, and waits until the server has it. */
export async function savePair(page: Page, base: string, quote: string): Promise<void> {
  await addPair(page, base, quote)
  await expect.poll(() => waitingChanges(page)).toBe(0)
}
