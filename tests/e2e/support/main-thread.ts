import type { CDPSession, Page } from 'playwright/test'

/** Milliseconds of the page's main thread, of its processor's time: what else the machine does meanwhile does not count. */
export interface MainThread {
  readonly script: number
  readonly style: number
  readonly layout: number
  /** The whole task time, the three above and painting included. */
  readonly task: number
}

const METRICS = {
  script: 'ScriptDuration',
  style: 'RecalcStyleDuration',
  layout: 'LayoutDuration',
  task: 'TaskDuration',
} as const satisfies Record<keyof MainThread, string>

/** Measures what happens on a page's main thread; each call tells what came since the one before. */
export async function mainThread(page: Page): Promise<() => Promise<MainThread>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async (): Promise<MainThread> => {
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1000
    return { script: of(METRICS.script), style: of(METRICS.style), layout: of(METRICS.layout), task: of(METRICS.task) }
  }
  let before = await read()
  return async () => {
    const now = await read()
    const since = {
      script: now.script - before.script,
      style: now.style - before.style,
      layout: now.layout - before.layout,
      task: now.task - before.task,
    }
    before = now
    return since
  }
}

/**
 * Layout shifts from now on that no user caused, as lines that say what moved and how far. A number at the right
 * edge that gets a digit more begins further left: that is its own change, and moves nothing.
 */
export async function layoutShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    interface Shift extends PerformanceEntry {
      readonly value: number
      readonly sources: readonly {
        readonly node: Node | null
        readonly previousRect: DOMRect
        readonly currentRect: DOMRect
      }[]
    }
    const shifts: string[] = []
    Object.assign(window, { shifts })
    const at = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}×${height}`
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        for (const { node, previousRect, currentRect } of entry.sources) {
          // The tint of what has changed is a few pixels wider.
          const rose = currentRect.top + currentRect.bottom - previousRect.top - previousRect.bottom
          if (Math.abs(currentRect.right - previousRect.right) < 5 && Math.abs(rose) < 2) continue
          const element = node instanceof Element ? node : node?.parentElement
          const what = `${element?.className ?? ''} "${node?.textContent ?? ''}"`
          shifts.push(`${entry.value}: ${what} from ${at(previousRect)} to ${at(currentRect)}`)
        }
      }
    }).observe({ type: 'layout-shift' })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
}
