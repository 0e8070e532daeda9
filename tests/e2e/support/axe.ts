import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Result } from 'axe-core'
import type { Page } from 'playwright/test'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Violations that axe calls serious or critical, as lines that name the element. */
export async function violations(page: Page): Promise<string[]> {
  // By the protocol rather than by a script element, which the page's content security policy would refuse.
  await page.evaluate(`if (!('axe' in globalThis)) {${axeSource}}`)
  // Only what is violated is described and handed over: all that passes is many times as much.
  const found = (await page.evaluate(
    `axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)`,
  )) as readonly Result[]
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`))
}

/** Pixels by which the page, or a dialog or menu above it, is wider than the window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const above = [...document.querySelectorAll('dialog[open], :popover-open')].map((box) =>
      box.getBoundingClientRect(),
    )
    return Math.max(scrollWidth - clientWidth, ...above.flatMap(({ left, right }) => [-left, right - clientWidth]))
  })

/**
 * Touch targets smaller than 44 px in either direction, as lines that name the element. A link within a
 * sentence is left out, as WCAG 2.5.8 does; what is shown below something else cannot be hit and does not count. While a
 * menu is open, only what is in it counts.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LEAST = 44
    const selector =
      'button, a[href], input, select, [role="switch"], [role="menuitem"], [role="option"], [tabindex="0"]'
    const covers = (element: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && (element === hit || element.contains(hit))
    }
    const menu = document.querySelector('[role="menu"]:popover-open')
    return [...(menu ?? document).querySelectorAll<HTMLElement>(selector)].flatMap((element) => {
      element.scrollIntoView({ block: 'center' })
      const box = element.getBoundingClientRect()
      const x = box.x + box.width / 2
      const y = box.y + box.height / 2
      if (box.width === 0 || !covers(element, x, y) || element.closest('p, [aria-disabled="true"]') !== null) return []
      // A target may be larger than what is drawn of it: what counts is where a touch still arrives.
      const reach = (dx: number, dy: number) => covers(element, x + dx * (LEAST / 2 - 0.5), y + dy * (LEAST / 2 - 0.5))
      const drawn = box.width >= LEAST && box.height >= LEAST
      const large = drawn || (reach(1, 0) && reach(-1, 0) && reach(0, 1) && reach(0, -1))
      const name = element.getAttribute('aria-label') ?? element.textContent
      return large
        ? []
        : [`${element.tagName.toLowerCase()} "${name}": ${box.width.toFixed(0)} × ${box.height.toFixed(0)}`]
    })
  })
}
