import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Answered } from './person'

type Send = () => Promise<Answered<unknown>>

interface Sides<Who, Step> {
  readonly step: fc.Arbitrary<Step>
  readonly runs: number
  begin(): Promise<Who>
  /** The request of a step, which may be sent again. */
  request(who: Who, step: Step): Promise<Send>
  /** Rows without their random ids. */
  content(who: Who): Promise<unknown>
}

/** Expects requests to end alike whether each is sent once or repeated at any later time. */
export async function expectRepeatsToChangeNothing<Who, Step>(sides: Sides<Who, Step>): Promise<void> {
  const history = fc.array(fc.record({ step: sides.step, again: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }) }), {
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const [once, often] = [await sides.begin(), await sides.begin()]
      const done: Send[] = []
      for (const { step, again } of steps) {
        const first = await (await sides.request(once, step))()
        const send = await sides.request(often, step)
        // Two at once, where there are repetitions: the second waits for the first.
        const [second] = await Promise.all([send(), ...again.slice(0, 1).map(() => send())])
        expect(second.status).toBe(first.status)
        // Only what succeeded leaves its key: a refusal may well succeed under other circumstances.
        if (second.status < 300) done.push(send)
        for (const earlier of again) {
          const repeated = await done[earlier % Math.max(done.length, 1)]?.()
          if (repeated !== undefined) expect([200, 201, 204, 404]).toContain(repeated.status)
        }
        expect(await sides.content(often)).toEqual(await sides.content(once))
      }
    }),
    { numRuns: sides.runs },
  )
}
