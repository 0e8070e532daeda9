/** The time at which a test's clock begins. */
export const START = Date.UTC(2026, 0, 15, 12)

export interface TestClock {
  (): number
  advance(milliseconds: number): void
}

export function testClock(start = START): TestClock {
  let now = start
  const clock = () => now
  return Object.assign(clock, {
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  })
}
