import { expect, it, test } from 'vitest'
import { inactiveNotices } from '../../../src/features/dashboard/widget-board'
import { type InactiveFacts, inactiveWords } from '../../../src/features/dashboard/inactive-head'

it('the notice calls a pair inactive, not beyond a limit, while there is room for the pair', () => {
  const { first } = inactiveNotices({ account: 'guest', active: 1, max: 2 })
  expect(first).toEqual({ code: 'NOT_YET_ACTIVE', upgrade: null })
})

const words = (facts: Partial<InactiveFacts>) => inactiveWords({ code: 'TIER_LIMIT', active: 5, premium: 50, ...facts })

test('the words over inactive pairs say "1 pair" for a limit of one and "5 pairs" for a limit of five', () => {
  expect(words({ active: 1 })).toContain('Your tier tracks 1 pair.')
  expect(words({ active: 5 })).toContain('Your tier tracks 5 pairs.')
})

test('the words over inactive pairs name how many Premium tracks only where that is known and more', () => {
  expect(words({})).toMatch(/upgrade to track up to 50\.$/)
  expect(words({ premium: undefined })).toMatch(/upgrade to track more\.$/)
  expect(words({ premium: 5 })).toMatch(/upgrade to track more\.$/)
  expect(words({ code: 'MAX_LIMIT_NEXT_UP' })).not.toContain('upgrade')
  expect(words({ code: 'NOT_YET_ACTIVE' })).toBe(
    'These pairs are inactive for now. The next update tracks them again, or says why.',
  )
})
