import { expect, test } from 'vitest'
import { type ClockRecord, judgeClock } from '../../server/services/retention-clock'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'

const START = 1_000_000 * HOUR
/** The time that each reading may remove by, in turn. @param told the time that the provider tells beside each; undefined: there is none */
function timesOf(readings: readonly (readonly [at: number, told?: number])[]): (number | null)[] {
  let record: ClockRecord = { confirmed: START, doubted: null, heldUntil: null }
  return readings.map(([at, told]) => {
    const witness = told === undefined ? 'nobody' : { told: START + told }
    const { time, confirmed, doubted, heldUntil } = judgeClock(record, START + at, witness)
    record = { confirmed, doubted, heldUntil }
    return time === null ? null : time - START
  })
}
const M = MINUTE

test.each<[string, [number, number?][], (number | null)[]]>([
  [
    'a clock that goes on is believed, whoever is silent',
    [
      [M, -DAY],
      [2 * M, -DAY],
    ],
    [M, 2 * M],
  ],
  [
    'a server that was off for hours is believed once the provider agrees',
    [
      [9 * HOUR, 0],
      [9 * HOUR + M, 9 * HOUR],
    ],
    [null, 9 * HOUR + M],
  ],
  [
    'a clock that went ahead and came back is held for a day',
    [
      [HOUR, M],
      [2 * M, M],
      [DAY + M, DAY],
      [DAY + 2 * M, DAY],
    ],
    [null, null, null, DAY + 2 * M],
  ],
  [
    'a clock that is ahead is not believed by its own going on',
    [
      [HOUR, 0],
      [2 * HOUR, 0],
      [2 * HOUR + M, M],
    ],
    [null, null, null],
  ],
  [
    'without a provider a pause is a jump, and seven days of readings end it',
    [[HOUR], ...Array.from({ length: 7 * 144 }, (_, i): [number] => [HOUR + (i + 1) * 10 * M])],
    [...Array.from({ length: 7 * 144 }, () => null), HOUR + 7 * DAY],
  ],
])('%s', (_, readings, expected) => {
  expect(timesOf(readings)).toEqual(expected)
})
