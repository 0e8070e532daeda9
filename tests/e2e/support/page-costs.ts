import type { BrowserContext, Page } from 'playwright/test'
import { browserCode } from './browser-code'
import { scriptRun, type ScriptRun } from './script-run'
import { watchTraffic, type TrafficWatch } from './traffic'

declare global {
  /** in-browser/page-counters.ts */
  function readCounts(): Promise<Counts & { readonly open: number }>
  /** in-browser/standing-time.ts */
  function passTime(upTo: number): void
  function releaseWorker(): void
  function releaseEngine(): void
  function askedOfEngine(): number
}

/** The app's work on the page's own thread. */
interface Counts {
  /** Transactions of IndexedDB. */
  readonly transactions: number
  /** Those of them that may write. */
  readonly writing: number
  /** Requests of IndexedDB. */
  readonly requests: number
  /** Commits of React. */
  readonly commits: number
  /** Records of a MutationObserver. */
  readonly documentWrites: number
  /** Sum of the browser's scores. */
  readonly shift: number
}

export interface PageCosts extends Counts {
  readonly script: ScriptRun
}

/** A page in which time stands still, see in-browser/standing-time.ts. */
export interface CountedPage {
  readonly page: Page
  /** Waits until nothing of the page is under way; its costs since the call before. */
  readonly costs: () => Promise<PageCosts>
}

export interface CountedBrowser {
  readonly traffic: TrafficWatch
  /** Opens the dashboard. */
  readonly open: (page: Page, origin: string) => Promise<CountedPage>
}

export async function countedBrowser(context: BrowserContext): Promise<CountedBrowser> {
  for (const name of ['standing-time', 'page-counters']) {
    // A page that is still empty has no service workers.
    const content = `if (globalThis.ServiceWorker !== undefined) {${await browserCode(name)}}`
    await context.addInitScript({ content })
  }
  const traffic = watchTraffic(context)
  return {
    traffic,
    async open(page, origin) {
      const script = await scriptRun(page, origin)
      await page.goto('/')
      let before: Counts | undefined
      const costs = async () => {
        const now = await atRest(page, traffic)
        const since = difference(now, before)
        before = now
        return { ...since, script: await script() }
      }
      return { page, costs }
    },
  }
}

const difference = (now: Counts, before: Counts | undefined): Counts => ({
  transactions: now.transactions - (before?.transactions ?? 0),
  writing: now.writing - (before?.writing ?? 0),
  requests: now.requests - (before?.requests ?? 0),
  commits: now.commits - (before?.commits ?? 0),
  documentWrites: now.documentWrites - (before?.documentWrites ?? 0),
  shift: now.shift - (before?.shift ?? 0),
})

/** Turns of page and service worker, one after another, in which nothing begins. */
const QUIET_TURNS = 5

/** The counts once nothing is under way. Turns are counted, not time: those of a slow machine are longer. */
async function atRest(page: Page, traffic: TrafficWatch): Promise<Counts> {
  let last = ''
  for (let quiet = 0; ;) {
    for (const worker of page.context().serviceWorkers()) await worker.evaluate(() => undefined)
    const { open, asked, ...counts } = await page.evaluate(async () => ({
      ...(await readCounts()),
      asked: askedOfEngine(),
    }))
    const seen = JSON.stringify(counts)
    const isQuiet = seen === last && open === 0 && asked === 0 && traffic.underWay() === 0
    quiet = isQuiet ? quiet + 1 : 0
    last = seen
    if (quiet === QUIET_TURNS) return counts
  }
}
