import { expect, test } from 'playwright/test'
import { WANDERER_SHARE } from '../../src/domain/excursions'
import { STATISTIC_WINDOWS } from '../../src/domain/pair-statistics'
import { wanderers } from '../domain/support/wanderers'
import { table } from './support/table'

const WALKS = 10_000

test(`excursions of ${WALKS} random walks come back as often as WANDERER_SHARE says, within half a point`, () => {
  const found = STATISTIC_WINDOWS.map((window) => ({ window, ...wanderers(WALKS, window) }))
  const rows = found.map(({ window, count, back }) => [`${window} d`, String(count), (back / count).toFixed(4)])
  console.log(`\n${table(['window', 'excursions', 'back within 30 d'], rows)}`)
  for (const { window, count, back } of found)
    expect.soft(Math.abs(back / count - WANDERER_SHARE[window]), `${window} days`).toBeLessThan(0.005)
})
