import type { Page } from 'playwright/test'

interface Switch {
  shownAt?: number
}

/**
 * Clicks a period's button and waits for its own chart.
 * @returns milliseconds from the click's time stamp until the frame with the new chart stood
 */
export async function timePeriod(page: Page, name: string): Promise<number> {
  await page.evaluate(watch, name)
  await page.getByRole('button', { name, exact: true }).click()
  const shown = () => (window as unknown as { periodSwitch: Switch }).periodSwitch.shownAt ?? null
  return (await (await page.waitForFunction(shown, undefined, { timeout: 10_000 })).jsonValue()) ?? Number.NaN
}

/** Runs in the page. A plot stays dimmed until its period has come, and says its newest point as soon as it draws it. */
function watch(name: string): void {
  const plot = document.querySelector('[role="slider"]')
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)
  if (plot === null || button === undefined) throw new Error('There is no chart to switch.')
  const state: Switch = {}
  Object.assign(window, { periodSwitch: state })
  let clickedAt = Number.NaN
  let drawn = false
  addEventListener('click', (event) => (clickedAt = event.timeStamp), { capture: true, once: true })
  const observer = new MutationObserver((changes) => {
    if (Number.isNaN(clickedAt)) return
    drawn ||= changes.some(({ attributeName }) => attributeName === 'aria-valuemax')
    if (!drawn || plot.getAttribute('data-dimmed') !== 'false') return
    if (button.getAttribute('aria-pressed') !== 'true') return
    observer.disconnect()
    // The next frame shows it; a message that it posts comes when it has been painted.
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => (state.shownAt = performance.now() - clickedAt))
    port1.start()
    requestAnimationFrame(() => port2.postMessage(null))
  })
  observer.observe(plot, { attributeFilter: ['data-dimmed', 'aria-valuemax'] })
}
