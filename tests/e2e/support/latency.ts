import type { Page } from 'playwright/test'

/** How long a change took to be seen. */
export interface Seen {
  /** Milliseconds from the user's act until this page's words had changed. */
  readonly here: number
  /** Frames that this page had begun in between; 0: the next frame showed it. */
  readonly frames: number
  /** Milliseconds from the act until the other page's words had changed. */
  readonly there: number
}

interface Watched {
  actedAt?: number
  shownAt?: number
  frames: number
}

/**
 * Does `act`, whose first click or key press counts as the moment of the change, and waits until both pages show what
 * `pattern` says; it is tried on everything the board says: texts, states of switches, descriptions, card by card.
 */
export async function timeToSee(page: Page, other: Page, pattern: RegExp, act: () => Promise<void>): Promise<Seen> {
  await Promise.all([page, other].map((each) => each.evaluate(watch, pattern.source)))
  await act()
  const [here, there] = await Promise.all([outcome(page), outcome(other)])
  if (here.actedAt === undefined) throw new Error('There was neither a click nor a key press.')
  return { here: here.shownAt - here.actedAt, frames: here.frames, there: there.shownAt - here.actedAt }
}

async function outcome(page: Page): Promise<Watched & { shownAt: number }> {
  const shown = () => {
    const { watched } = window as unknown as { watched: Watched }
    return watched.shownAt === undefined ? null : watched
  }
  const handle = await page.waitForFunction(shown, undefined, { timeout: 10_000 })
  return (await handle.jsonValue()) as Watched & { shownAt: number }
}

/** Runs in a page. Times are milliseconds since 1970, to a fraction, on a clock that all pages share. */
function watch(pattern: string): void {
  const wanted = new RegExp(pattern, 's')
  const watched: Watched = { frames: 0 }
  Object.assign(window, { watched })

  const textsOf = (element: Element, reference: string) => {
    const ids = element.getAttribute(reference)?.split(' ') ?? []
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  }
  const words = () =>
    [...document.querySelectorAll('article')]
      .map((card) => {
        const states = [...card.querySelectorAll('[role="switch"], [aria-describedby]')].map((element) => {
          const [label] = element instanceof HTMLButtonElement ? element.labels : []
          const name = label?.textContent ?? element.getAttribute('aria-label') ?? textsOf(element, 'aria-labelledby')
          return `${name} ${element.getAttribute('aria-checked') ?? ''} ${textsOf(element, 'aria-describedby')}`
        })
        return [card.textContent, ...states].join(' ').replaceAll(/\s+/g, ' ')
      })
      .join(' | ')
  if (wanted.test(words())) throw new Error(`The board says it already: ${words()}`)

  const acted = (event: Event) => {
    watched.actedAt ??= performance.timeOrigin + event.timeStamp
  }
  for (const kind of ['click', 'keydown']) addEventListener(kind, acted, { capture: true, once: true })
  const frame = () => {
    if (watched.shownAt !== undefined) return
    if (watched.actedAt !== undefined) watched.frames += 1
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  const observer = new MutationObserver(() => {
    if (!wanted.test(words())) return
    watched.shownAt = performance.timeOrigin + performance.now()
    observer.disconnect()
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
}
