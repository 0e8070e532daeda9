import { installed } from './support/app'
import { expect, test } from './support/test'

// A private window, which every other browser of these tests is, cannot install apps.
test.use({ ownProfile: true })

interface Manifest {
  readonly id: string
  readonly icons: readonly { src: string; sizes: string; purpose: string }[]
  readonly screenshots: readonly { src: string; sizes: string; form_factor: string }[]
  readonly shortcuts: readonly { name: string; url: string }[]
}

/** Width and height as a PNG's header has them. */
const pngSize = (png: Buffer) => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`

test('the browser can install the app, and every picture of its manifest exists in the stated size', async ({
  page,
  context,
  request,
}) => {
  await page.goto('/')
  await installed(page)
  const browser = await context.newCDPSession(page)
  await expect.poll(async () => (await browser.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])

  const { errors, data, url } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = JSON.parse(data ?? '') as Manifest
  expect(manifest.id).toBe('/')
  expect(manifest.icons.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(2)
  expect(new Set(manifest.screenshots.map((screenshot) => screenshot.form_factor))).toEqual(new Set(['narrow', 'wide']))
  for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
    const picture = await request.get(new URL(src, url).href)
    expect(picture.headers()['content-type'], src).toMatch(/^image\//)
    if (src.endsWith('.png')) expect(pngSize(await picture.body()), src).toBe(sizes)
  }
  const touchIcon = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
  expect(pngSize(await (await request.get(touchIcon ?? '')).body())).toBe('180x180')
  expect(await (await request.get('/robots.txt')).text()).toContain('User-agent: *')
  const licences = await (await request.get('/licenses.txt')).text()
  for (const name of [
    'react-dom',
    'dexie',
    'workbox-core',
    'fastify',
    'pg',
    '@node-rs/argon2',
    '@fontsource-variable/inter',
  ])
    expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\(.+\\)\n\n.+`, 'm'))
})
