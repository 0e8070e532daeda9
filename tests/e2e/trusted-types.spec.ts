import { installed } from './support/app'
import { expect, test } from './support/test'

// That the app itself keeps its policies is seen by all tests (support/test.ts).
const BREACH = /Breach of /
test.use({ reported: { errors: [BREACH] } })

test('a page of the app refuses HTML and source text as strings, and workers of another origin; to any test a breach is an uncaught error', async ({
  page,
}) => {
  const breaches: string[] = []
  page.on('pageerror', ({ message }) => breaches.push(message))
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
  // Workers are refused by the app's own policy of Trusted Types, before the browser's.
  await expect.poll(() => breaches.filter((breach) => BREACH.test(breach))).toHaveLength(3)
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
