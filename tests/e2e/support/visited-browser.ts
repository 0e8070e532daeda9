import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright/test'
import { reportBreaches } from './policy-breaches'

/** A browser that has installed the app, used by one test after the other. */
export interface VisitedBrowser {
  /** The context with these options, and a new page in it that has none of the data of the test before. */
  open(options: BrowserContextOptions & { readonly baseURL: string }): Promise<BrowserContext>
  close(): Promise<void>
}

/**
 * Keeps a context for each kind of device (touch, pixels). The service worker and its caches stay, since to install the app
 * takes most of the processor time of a visit; identity, board, settings and session go.
 */
export function visitedBrowser(browser: () => Promise<Browser>): VisitedBrowser {
  const contexts = new Map<string, BrowserContext>()

  return {
    async open({ viewport, colorScheme, ...device }) {
      const key = JSON.stringify(device)
      let context = contexts.get(key)
      if (context === undefined) {
        context = await (await browser()).newContext(device)
        await reportBreaches(context)
        contexts.set(key, context)
      }
      const before = context.pages()
      const page = await context.newPage()
      for (const old of before) await old.close()
      await context.setOffline(false)
      await context.clearPermissions()
      await forget(page, device.baseURL)
      if (viewport) await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: colorScheme ?? null })
      return context
    },
    async close() {
      for (const context of contexts.values()) await context.close()
    },
  }
}

/** Removes what the app has stored at this origin; its service worker ends first, and starts anew with the next page. */
async function forget(page: Page, origin: string): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('ServiceWorker.enable')
  await protocol.send('ServiceWorker.stopAllWorkers')
  await protocol.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb,local_storage,cookies' })
  await protocol.detach()
}
