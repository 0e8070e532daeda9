import type { BrowserContext } from 'playwright/test'

/**
 * Has each breach of a security policy of a page (Content Security Policy, Trusted Types) be an uncaught error there. But for
 * icons: a server of recorded prices may name them on a host that the policy rightly refuses.
 */
export const reportBreaches = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      if (violatedDirective === 'img-src') return
      reportError(new Error(`Breach of ${violatedDirective}: ${blockedURI} ${sample}`))
    })
  })
