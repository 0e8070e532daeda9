import { expect, test } from 'vitest'
import { type ClockRecord, judgeClock } from '../../server/services/retention-clock'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'

const START = 1_000_000 * HOUR
/**
 * The time that each reading may remove by, in turn.
 * @param told the time that the provider has last told before each, undefined: there is no provider; and what the clock said then
 */
function timesOf(readings: readonly (readonly [at: number, told?: number, heardAt?: number])[]): (number | null)[] {
  let record: ClockRecord = { confirmed: START, doubted: null, heldUntil: null }
  return readings.map(([at, told, heardAt = told]) => {
    const witness = told === undefined ? 'nobody' : { told: START + told, heardAt: START + heardAt! }
    const { time, confirmed, doubted, heldUntil } = judgeClock(record, START + at, witness)
    record = { confirmed, doubted, heldUntil }
    return time === null ? null : time - START
  })
}
const M = MINUTE
/** Readings of a clock that goes right, beside its provider. */
const steady = (from: number, to: number): [number, number][] =>
  Array.from({ length: 1 + (to - from) / (10 * M) }, (_, i) => [from + 10 * i * M, from + 10 * i * M])
const nothing = (readings: number): null[] => Array.from({ length: readings }, () => null)

test.each<[string, [number, number?, number?][], (number | null)[]]>([
  [
    'a clock that goes on is believed, whoever is silent',
    [
      [M, -DAY],
      [2 * M, -DAY],
    ],
    [M, 2 * M],
  ],
  [
    'a server that was off for hours removes nothing for a day, though the provider agrees at once',
    [[9 * HOUR, 0], ...steady(9 * HOUR, 33 * HOUR)],
    [...nothing(1 + 144), 33 * HOUR],
  ],
  [
    'a clock that goes ahead by less than a jump at each reading is doubted once it is far from the provider’s',
    [
      [14 * M, M, 14 * M],
      [28 * M, 2 * M, 28 * M],
      [42 * M, 2 * M, 28 * M],
      [4 * M, 4 * M],
      [18 * M, 18 * M],
    ],
    [14 * M, null, null, null, null],
  ],
  [
    'a clock that went ahead and came back is held for a day',
    [[HOUR, M], ...steady(2 * M, DAY + 2 * M)],
    [...nothing(1 + 144), DAY + 2 * M],
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
    [...nothing(7 * 144), HOUR + 7 * DAY],
  ],
])('%s', (_, readings, expected) => {
  expect(timesOf(readings)).toEqual(expected)
})
