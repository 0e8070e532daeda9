import type { Locator, Page } from 'playwright/test'
import { onCard } from './support/app'
import { overflow } from './support/axe'
import { openPair, PAIR } from './support/board'
import { legible } from './support/legible'
import { openPairChart, plot } from './support/pair-chart'
import { expect, test } from './support/test'

const SIDEWAYS = { width: 740, height: 360 }
const UPRIGHT = { width: 360, height: 740 }
/** A desktop of 1280 × 1024 px at 400 % zoom. */
const ZOOMED = { width: 320, height: 256 }
const TABLET = { width: 820, height: 1180 }

test.use({ viewport: UPRIGHT, hasTouch: true })

/** CSS pixels of an element that can be seen without scrolling. */
const visibleHeight = (element: Locator): Promise<number> =>
  element.evaluate((it) => {
    const { top, bottom } = it.getBoundingClientRect()
    return Math.min(bottom, innerHeight) - Math.max(top, 0)
  })

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not on the page')
  return box
}

test('the head of the dashboard leaves seven tenths of an upright phone to cards and list, whose search a button unfolds, and a row names both coins', async ({
  page,
}) => {
  await openPair(page)
  expect((await boxOf(page.getByRole('article'))).y).toBeLessThanOrEqual(UPRIGHT.height * 0.3)
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Pairs' })).toBeVisible()
  expect((await boxOf(page.getByRole('table', { name: 'Pairs' }))).y).toBeLessThanOrEqual(UPRIGHT.height * 0.3)
  await page.getByRole('button', { name: 'Search and order' }).tap()
  await expect(page.getByRole('searchbox', { name: 'Search pairs' })).toBeVisible()
  const title = page.getByRole('row').getByText(PAIR, { exact: true }).locator('..')
  // A title that does not fit ends in three dots.
  expect(await title.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0)
})

test('the order of the cards shows the focus of a keyboard on a phone, also once it is not the order by hand', async ({
  page,
}) => {
  await openPair(page)
  const order = page.getByRole('combobox', { name: 'Order' })
  const outline = () => order.locator('..').evaluate((it) => getComputedStyle(it).outlineWidth)
  await order.press('End')
  await expect(order).not.toHaveValue('hand')
  expect(await outline()).toBe('2px')
})

test('a chart and its tools share an upright phone with what the pair is, the chart takes most of one held sideways, and what is set beside it is a scroll away', async ({
  page,
}) => {
  await openPairChart(page)
  await expect.poll(() => visibleHeight(plot(page)), 'plot of an upright phone').toBeGreaterThan(UPRIGHT.height * 0.35)
  await expect(page.getByRole('button', { name: 'Bands (2σ)' })).toBeInViewport({ ratio: 1 })

  await page.setViewportSize(SIDEWAYS)
  await expect
    .poll(() => visibleHeight(plot(page)), 'plot of a phone held sideways')
    .toBeGreaterThan(SIDEWAYS.height * 0.6)
  for (const name of ['Close chart', '7d', 'Bands (2σ)']) {
    await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  }
  for (const name of ['Dashboard', 'Alerts', 'Status']) {
    await expect(page.getByRole('link', { name })).toBeInViewport({ ratio: 1 })
  }
  for (const size of [SIDEWAYS, UPRIGHT, ZOOMED]) {
    await page.setViewportSize(size)
    await page.getByRole('button', { name: 'Set Alerts' }).scrollIntoViewIfNeeded()
    await expect(page.getByRole('button', { name: 'Set Alerts' })).toBeInViewport({ ratio: 1 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
  }
})

for (const [zoom, size, tag] of [
  ['200 %', { width: 720, height: 450 }, '@full'],
  ['400 %', ZOOMED, ''],
] as const) {
  test(
    `at ${zoom} zoom nothing scrolls sideways, and no bar covers the focus of a keyboard`,
    { tag: tag === '' ? [] : tag },
    async ({ page }) => {
      await openPair(page)
      await page.setViewportSize(size)
      await page.evaluate(() => {
        scrollTo(0, 0)
      })
      const inMain = new Set<string>()
      for (let step = 0; step < 40; step += 1) {
        await page.keyboard.press('Tab')
        const focus = await focused(page)
        expect.soft(focus.covered, focus.name).toBe(false)
        if (focus.inMain) inMain.add(focus.name)
      }
      expect([...inMain]).toContain('Remove pair')
      expect(await overflow(page)).toBeLessThanOrEqual(0)
    },
  )
}

/** The focused element, and whether all of its middle line lies below something else. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
    const seen = [0.25, 0.5, 0.75].some((share) => {
      const hit = document.elementFromPoint(left + share * (right - left), y)
      return hit !== null && (element.contains(hit) || hit.contains(element))
    })
    return {
      name: element.getAttribute('aria-label') ?? element.textContent,
      inMain: element.closest('main') !== null,
      covered: element !== document.body && !seen,
    }
  })

test('a tablet held upright has a rail beside its cards, and their sparklines can be read', async ({ page }) => {
  await openPair(page)
  await page.setViewportSize(TABLET)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Dashboard', 'Alerts', 'Status', 'Settings']) {
    await expect(navigation.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 })
  }
  for (const name of ['Add Pair', 'Feedback', 'Login', 'Register', 'Upgrade']) {
    await expect(page.getByRole('banner').getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
  }
  expect((await boxOf(page.getByRole('banner'))).width).toBeLessThan(110)
  expect((await boxOf(onCard(page, PAIR, 'Open chart').locator('svg').first())).width).toBeGreaterThan(50)
})

test('a toast covers nothing in the open menu of a phone', { tag: '@full' }, async ({ page }) => {
  await openPairChart(page)
  await page.getByRole('button', { name: /^Est. Period/ }).tap()
  await expect(page.getByRole('status').filter({ hasText: 'oscillation' })).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await expect(drawer.getByRole('status')).toBeVisible()
  const controls = await drawer.locator('a, button').filter({ hasNotText: 'Dismiss' }).all()
  expect(controls.length).toBeGreaterThan(8)
  for (const control of controls) {
    await control.scrollIntoViewIfNeeded()
    const toast = await boxOf(drawer.getByRole('status'))
    const { x, y, width, height } = await boxOf(control)
    const apart =
      x >= toast.x + toast.width || x + width <= toast.x || y >= toast.y + toast.height || y + height <= toast.y
    expect.soft(apart, (await control.textContent()) ?? '').toBe(true)
  }
})

test(
  'with forced colours the chart has the colours of its legend, also after the theme has changed',
  { tag: '@full' },
  async ({ page }) => {
    await openPairChart(page)
    const legend = page.getByRole('list', { name: 'Lines' }).locator('line').first()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, forcedColors: 'active' })
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      const colour = await legend.evaluate((it) => getComputedStyle(it).stroke)
      await expect.poll(() => pixelsOf(page, colour), `${colour} on the plot, ${colorScheme}`).toBeGreaterThan(200)
    }
  },
)

/** Pixels of the plot in a colour such as `rgb(0, 0, 159)`. */
const pixelsOf = (page: Page, colour: string): Promise<number> =>
  page.locator('canvas').evaluate((element, wanted) => {
    const canvas = element as HTMLCanvasElement
    const [red = 0, green = 0, blue = 0] = (wanted.match(/\d+/g) ?? []).map(Number)
    const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
    let pixels = 0
    for (let i = 0; i < data.length; i += 4) {
      const off = Math.abs(data[i]! - red) + Math.abs(data[i + 1]! - green) + Math.abs(data[i + 2]! - blue)
      if (off < 12 && data[i + 3]! > 200) pixels += 1
    }
    return pixels
  }, colour)

test(
  'with forced colours the label of a primary button can be told from the button in both themes',
  { tag: '@full' },
  async ({ page }) => {
    await page.goto('/login')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, forcedColors: 'active' })
      const logIn = page.getByRole('button', { name: 'Log In', exact: true })
      await expect(logIn).toBeVisible()
      expect.soft(await legible(logIn), colorScheme).toBe(true)
    }
  },
)
