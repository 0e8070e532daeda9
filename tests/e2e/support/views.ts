import { expect, type Page } from 'playwright/test'
import { overflow, smallTargets, violations } from './axe'

interface View {
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
  readonly forcedColors?: 'active'
  /** Also by `npm test`. */
  readonly always?: true
}

const HEIGHT = 800

/** A phone in both themes and held sideways, a tablet, a desktop; forced colours, which have the browser's two palettes. */
const VIEWS: readonly View[] = [
  { width: 360, height: HEIGHT, colorScheme: 'light', always: true },
  { width: 360, height: HEIGHT, colorScheme: 'dark' },
  { width: 360, height: HEIGHT, colorScheme: 'light', forcedColors: 'active' },
  { width: 740, height: 360, colorScheme: 'dark' },
  { width: 820, height: 1180, colorScheme: 'light' },
  { width: 1440, height: HEIGHT, colorScheme: 'dark', always: true },
  { width: 1440, height: HEIGHT, colorScheme: 'dark', forcedColors: 'active' },
]
/** `npm run test:full` looks at every view, `npm test` at the narrowest and the widest, one in each theme. */
const CHECKED = VIEWS.filter(({ always }) => always || process.env.ALL_VIEWS === '1')
/** Browser options of a view, such as a phone's window and touch. */
export const PHONE = { viewport: { width: 360, height: HEIGHT }, hasTouch: true, colorScheme: 'light' } as const

/**
 * Turns what is open to each view without opening it again: nothing that axe takes seriously, nothing to scroll
 * sideways, nothing too small for a finger. The page ends as it began.
 */
export async function checkViews(page: Page, name: string): Promise<void> {
  await complete(page)
  expect.soft(await smallTargets(page), name).toEqual([])
  for (const view of CHECKED) {
    await look(page, view)
    const seen = `${name}, ${view.width} × ${view.height} px, ${view.colorScheme}${view.forcedColors ? ', forced colours' : ''}`
    expect.soft(await overflow(page), seen).toBeLessThanOrEqual(0)
    expect.soft(await violations(page), seen).toEqual([])
  }
  await look(page, { ...PHONE.viewport, colorScheme: PHONE.colorScheme })
}

/** The screen is there, and what it loads of itself: nothing came or went for a while. */
async function complete(page: Page): Promise<void> {
  await expect(page.getByRole('heading').or(page.getByRole('dialog')).first()).toBeVisible()
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const done = () => {
          changes.disconnect()
          resolve()
        }
        let quiet = setTimeout(done, 300)
        const changes = new MutationObserver(() => {
          clearTimeout(quiet)
          quiet = setTimeout(done, 300)
        })
        changes.observe(document.body, { childList: true, subtree: true })
        // These regions change all the time.
        setTimeout(done, 5_000)
      }),
  )
}

async function look(page: Page, { width, height, colorScheme, forcedColors }: View): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme, forcedColors: forcedColors ?? null })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
  // A colour on its way to the other theme is nobody's choice.
  await page.evaluate(async () => {
    const turning = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(turning.map(({ finished }) => finished))
  })
}
