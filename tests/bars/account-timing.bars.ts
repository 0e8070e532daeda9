import { expect, test } from 'vitest'
import { CALLS, compareAddresses } from '../server/support/account-timing'
import { welchT, withoutOutliers } from '../server/support/timing'

/** Of each kind, in turn. */
const TRIES = 500
/** Beyond this, a difference of means is taken for real (as in test vector leakage assessment). */
const TELLING = 4.5

test.each(CALLS)(
  'neither answer nor response time of %s tells whether an email address has an account',
  async (call) => {
    const sides = await compareAddresses(call, TRIES)
    const t = welchT(sides.known.times, sides.unknown.times)
    const trimmed = welchT(...withoutOutliers(sides))
    console.log(`${call}: t = ${t.toFixed(2)}, without outliers ${trimmed.toFixed(2)}`)
    expect(new Set([...sides.known.answers, ...sides.unknown.answers].map((seen) => JSON.stringify(seen))).size).toBe(1)
    expect(sides.known.times).toHaveLength(TRIES)
    expect(Math.abs(t)).toBeLessThan(TELLING)
    expect(Math.abs(trimmed)).toBeLessThan(TELLING)
  },
)
