import type { BrowserContext } from 'playwright/test'

/** Has each breach of a security policy of a page (Content Security Policy, Trusted Types) be an uncaught error there. */
export const reportBreaches = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      reportError(new Error(`Breach of ${violatedDirective}: ${blockedURI} ${sample}`))
    })
  })
