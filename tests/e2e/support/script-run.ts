import type { Page } from 'playwright/test'

/** Script of the app on the page's own thread, in bytes: V8 counts characters, and nearly all of a built file's are one. */
export interface ScriptRun {
  /** Of the functions and branches that have run. */
  readonly run: number
  /** Of the files that they stand in, all of which the browser has parsed. */
  readonly parsed: number
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** Watches what a page runs from now on; each call tells what has run since the one before. */
export async function scriptRun(page: Page, origin: string): Promise<() => Promise<ScriptRun>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Profiler.enable')
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return async () => {
    const { result } = await session.send('Profiler.takePreciseCoverage')
    const sum = { run: 0, parsed: 0 }
    for (const { url, functions } of result) {
      if (!url.startsWith(origin)) continue
      const ranges = functions.flatMap((one) => one.ranges)
      const run = bytesRun(ranges)
      if (run === 0) continue
      sum.run += run
      sum.parsed += Math.max(...ranges.map((range) => range.endOffset))
    }
    return sum
  }
}

/** Ranges lie within one another, and of each byte the innermost one says whether it has run. */
function bytesRun(ranges: readonly Range[]): number {
  const around: Range[] = []
  let sum = 0
  for (const range of ranges.toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)) {
    while (around.length > 0 && around.at(-1)!.endOffset <= range.startOffset) around.pop()
    const outer = around.at(-1)
    const length = range.endOffset - range.startOffset
    if (range.count > 0 && (outer === undefined || outer.count === 0)) sum += length
    if (range.count === 0 && outer !== undefined && outer.count > 0) sum -= length
    around.push(range)
  }
  return sum
}
