import { expect, it } from 'vitest'
import { inactiveNotices } from '../../../src/features/dashboard/inactive-reason'

it('the notice calls a pair inactive, not beyond a limit, while there is room for the pair', () => {
  const { first } = inactiveNotices({ account: 'guest', active: 1, max: 2 })
  expect(first).toEqual({
    code: 'NOT_YET_ACTIVE',
    title: 'Inactive',
    reason: 'This pair is tracked again after the next update.',
    upgrade: null,
  })
})

it('the notice of inactive pairs says "1 pair" for a limit of one and "5 pairs" for a limit of five', () => {
  const reasonAt = (max: number) => inactiveNotices({ account: 'free', active: max, max }).rest.reason
  expect(reasonAt(1)).toContain('Your tier tracks 1 pair.')
  expect(reasonAt(5)).toContain('Your tier tracks 5 pairs.')
})
