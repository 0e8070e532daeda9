import type { Page } from 'playwright/test'

interface Watched {
  actedAt?: number
  shownAt?: number
  paintedAt?: number
}

/** Everything the board says: texts, states of switches, descriptions, card by card. */
export const boardWords = (page: Page): Promise<string> => page.evaluate(words)

/**
 * Does `act`, whose first click or key press counts as the moment of the change, and waits until the page has painted what
 * `pattern` says.
 * @returns milliseconds from the act until then
 */
export async function timeToPaint(page: Page, pattern: RegExp, act: () => Promise<void>): Promise<number> {
  await startWatching(page, pattern)
  await act()
  const { actedAt, at } = await momentOf(page, 'paintedAt')
  if (actedAt === undefined) throw new Error('There was neither a click nor a key press.')
  return at - actedAt
}

/** As `timeToPaint`; `there`: milliseconds until another page, which is not in front and paints rarely, says the same. */
export async function timeToSee(page: Page, other: Page, pattern: RegExp, act: () => Promise<void>) {
  await startWatching(other, pattern)
  const begun = await page.evaluate(() => performance.timeOrigin + performance.now())
  const here = await timeToPaint(page, pattern, act)
  const { actedAt = begun } = await momentOf(page, 'paintedAt')
  const there = (await momentOf(other, 'shownAt')).at - actedAt
  return { here, there }
}

const startWatching = (page: Page, pattern: RegExp): Promise<void> =>
  page.evaluate(`(${String(watch)})(${JSON.stringify(pattern.source)}, ${String(words)})`)

async function momentOf(page: Page, moment: 'shownAt' | 'paintedAt'): Promise<{ actedAt?: number; at: number }> {
  const reached = (name: typeof moment) => {
    const { watched } = window as unknown as { watched: Watched }
    return watched[name] === undefined ? null : { ...watched, at: watched[name] }
  }
  const handle = await page.waitForFunction(reached, moment, { timeout: 10_000, polling: 20 })
  return (await handle.jsonValue()) as Watched & { at: number }
}

/** Runs in a page. */
function words(): string {
  const textsOf = (element: Element, reference: string) => {
    const ids = element.getAttribute(reference)?.split(' ') ?? []
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  }
  return [...document.querySelectorAll('article')]
    .map((card) => {
      const states = [...card.querySelectorAll('[role="switch"], [aria-describedby]')].map((element) => {
        const [label] = element instanceof HTMLButtonElement ? element.labels : []
        const name = label?.textContent ?? element.getAttribute('aria-label') ?? textsOf(element, 'aria-labelledby')
        return `${name} ${element.getAttribute('aria-checked') ?? ''} ${textsOf(element, 'aria-describedby')}`
      })
      return [card.textContent, ...states].join(' ').replaceAll(/\s+/g, ' ')
    })
    .join(' | ')
}

/** Runs in a page. Times are milliseconds since 1970, to a fraction, on a clock that all pages share. */
function watch(pattern: string, says: () => string): void {
  const wanted = new RegExp(pattern, 's')
  const watched: Watched = {}
  Object.assign(window, { watched })
  if (wanted.test(says())) throw new Error(`The board says it already: ${says()}`)

  const now = () => performance.timeOrigin + performance.now()
  const acted = (event: Event) => {
    watched.actedAt ??= performance.timeOrigin + event.timeStamp
  }
  for (const kind of ['click', 'keydown']) addEventListener(kind, acted, { capture: true, once: true })
  const { port1, port2 } = new MessageChannel()
  port2.addEventListener('message', () => {
    watched.paintedAt = now()
  })
  port2.start()
  const observer = new MutationObserver(() => {
    if (!wanted.test(says())) return
    watched.shownAt = now()
    observer.disconnect()
    // The frame that shows it; a message from within comes when it has been painted.
    requestAnimationFrame(() => port1.postMessage(null))
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
}
