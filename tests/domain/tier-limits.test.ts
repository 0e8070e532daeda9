import { expect, test } from 'vitest'
import { effectiveLimits } from '../../src/domain/tier-limits'

const tiers = {
  free: { max_widgets: 5, max_checkpoints_per_widget: 1 },
  premium: { max_widgets: 50, max_checkpoints_per_widget: 20 },
}

test('premium users have the premium limits, and everybody else has the limits of the free tier', () => {
  expect(effectiveLimits(tiers, true)).toEqual(tiers.premium)
  expect(effectiveLimits(tiers, false)).toEqual(tiers.free)
})

test.each([true, false])(
  'until the tier limits are loaded, there is room for two widgets with one checkpoint each (premium: %s)',
  (premium) => {
    expect(effectiveLimits(undefined, premium)).toEqual({ max_widgets: 2, max_checkpoints_per_widget: 1 })
  },
)
