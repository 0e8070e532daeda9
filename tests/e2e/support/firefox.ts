import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch as launchBrowser, type Page } from 'puppeteer-core'
import type { MozillaPush } from '../../support/mozilla-push'
import { countStart } from '../../support/starts.mjs'

export interface Firefox {
  readonly page: Page
  /** Ends it and removes its profile; once is enough. */
  close(): Promise<void>
}

/** Firefox with a profile of its own, whose push service is `push`, and which may show notifications. */
export async function startFirefox(path: string, push: MozillaPush, variables: NodeJS.ProcessEnv): Promise<Firefox> {
  countStart('browser')
  const profile = mkdtempSync(join(tmpdir(), 'e2e-firefox-'))
  const browser = await launchBrowser({
    browser: 'firefox',
    executablePath: path,
    headless: true,
    userDataDir: profile,
    defaultViewport: { width: 1280, height: 800 },
    env: { ...process.env, ...variables },
    extraPrefsFirefox: {
      'dom.push.serverURL': push.url,
      'dom.push.testing.allowInsecureServerURL': true,
      'dom.push.connection.enabled': true,
      // Milliseconds: how soon it comes back after it was cut off.
      'dom.push.retryBaseInterval': 200,
      'permissions.default.desktop-notification': 1,
      // By the desktop's own means, where a test can click them.
      'alerts.useSystemBackend': true,
      'network.manage-offline-status': false,
    },
  })
  const page = (await browser.pages())[0] ?? (await browser.newPage())
  page.setDefaultTimeout(60_000)
  let open = true
  return {
    page,
    async close() {
      if (!open) return
      open = false
      await browser.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
