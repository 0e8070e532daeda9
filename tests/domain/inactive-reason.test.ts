import { expect, test } from 'vitest'
import { inactiveReason } from '../../src/domain/tier-limits'

const full = { active: 2, max: 2 }

test.each([
  [{ ...full, account: 'premium', index: 0 }, 'MAX_LIMIT_NEXT_UP'],
  [{ ...full, account: 'premium', index: 1 }, 'MAX_LIMIT_QUEUED'],
  [{ ...full, account: 'premium', index: 7 }, 'MAX_LIMIT_QUEUED'],
  [{ ...full, account: 'free', index: 0 }, 'TIER_LIMIT'],
  [{ ...full, account: 'guest', index: 1 }, 'TIER_LIMIT'],
  [{ active: 1, max: 2, account: 'premium', index: 0 }, 'NOT_YET_ACTIVE'],
  [{ active: 1, max: 2, account: 'guest', index: 0 }, 'NOT_YET_ACTIVE'],
] as const)('an inactive widget at %o has the reason %s', (place, reason) => {
  expect(inactiveReason(place)).toBe(reason)
})
