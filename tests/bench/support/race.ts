import { expect, type Page } from 'playwright/test'
import { randomOf } from '../../../src/domain/random'
import { mainThread } from '../../e2e/support/main-thread'
import { ACTS, REPEATS, type Act } from '../in-browser/acts'
import type { ContenderName } from '../in-browser/contenders'
import type { Size } from '../in-browser/market'
import type { Picture } from '../in-browser/pixels'

export const DRAWING = ['ours', 'bare uPlot', 'Chart.js', 'lightweight-charts', 'ECharts'] as const
export type Drawing = (typeof DRAWING)[number]

/** Milliseconds of the main thread's processor time that one act took, by round. */
export type Costs = Readonly<Record<Drawing | 'idle', Readonly<Record<Act, number[]>>>>

/** Shares of a chart's columns that must have a pixel of the line: a whole line's, and a dashed one's. */
const WHOLE = 0.7
const DASHED = 0.25

const call = {
  clear: (page: Page, size: Size) => page.evaluate((size) => bench!.clear(size), size),
  act: (page: Page, name: ContenderName, act: Act) =>
    page.evaluate(([name, act]) => bench!.act(name, act), [name, act] as const),
  picture: (page: Page) => page.evaluate(() => bench!.picture()),
}

/** Why a picture cannot be that of a drawn chart; null: it can. */
export function whyNotDrawn({ coverage }: Picture): string | null {
  const missing = Object.entries(coverage).filter(([line, share]) => share < (line === 'ratio' ? WHOLE : DASHED))
  if (missing.length === 0) return null
  return missing.map(([line, share]) => `${line} is on ${(share * 100).toFixed(0)} % of the columns`).join(', ')
}

/** The picture that a contender draws when it is opened. */
export async function openedPicture(page: Page, name: ContenderName, size: Size): Promise<Picture> {
  await call.clear(page, size)
  await call.act(page, name, 'open')
  return call.picture(page)
}

/**
 * Opens, switches, zooms and moves the charts of all contenders, one at a time and in turns, and checks after every act
 * that its picture stands and is another than before.
 */
export async function race(page: Page, size: Size, rounds: number, warmUp: number): Promise<Costs> {
  const cost = await mainThread(page)
  const session = await page.context().newCDPSession(page)
  const names = [...DRAWING, 'idle'] as const
  const random = randomOf(size)
  const costs = Object.fromEntries(
    names.map((name) => [name, Object.fromEntries(ACTS.map((act) => [act, []]))]),
  ) as unknown as Costs

  const take = async (name: Drawing | 'idle', act: Act, counts: boolean) => {
    await cost()
    await call.act(page, name, act)
    const { task } = await cost()
    if (counts) costs[name][act].push(task / REPEATS[act])
  }
  for (let round = -warmUp; round < rounds; round += 1) {
    await session.send('HeapProfiler.collectGarbage')
    // A contender finds the processor's caches full of the one before, so the order changes in every round.
    for (const name of shuffled(names, random)) {
      await call.clear(page, size)
      let before = ''
      for (const act of ACTS) {
        await take(name, act, round >= 0)
        if (name === 'idle') continue
        const picture = await call.picture(page)
        expect(whyNotDrawn(picture), `${name} after "${act}"`).toBeNull()
        expect(picture.digest, `${name} draws something new at "${act}"`).not.toBe(before)
        before = picture.digest
      }
    }
  }
  return costs
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  const keyed = values.map((value) => ({ value, key: random() }))
  return keyed.toSorted((one, other) => one.key - other.key).map(({ value }) => value)
}

/** Bytes that an open chart holds, beside the columns that it was given, by contender. */
export async function heapOf(page: Page, name: Drawing, size: Size): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const used = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const usage = (await session.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number }
    return usage.usedSize + (usage.backingStorageSize ?? 0)
  }
  await call.clear(page, size)
  const before = await used()
  await call.act(page, name, 'open')
  const after = await used()
  await session.detach()
  return after - before
}
