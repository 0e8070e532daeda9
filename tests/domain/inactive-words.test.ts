import { expect, test } from 'vitest'
import { inactiveWords } from '../../src/domain/inactive-words'

const words = (facts: Partial<Parameters<typeof inactiveWords>[0]>) =>
  inactiveWords({ code: 'TIER_LIMIT', active: 5, premium: 50, ...facts })

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
