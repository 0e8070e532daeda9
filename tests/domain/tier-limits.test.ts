import { expect, test } from 'vitest'
import { activeRows, activeSlots, contradicts, effectiveLimits, inactiveNotices } from '../../src/domain/tier-limits'

const tiers = {
  free: { max_widgets: 5, max_checkpoints_per_widget: 1 },
  premium: { max_widgets: 50, max_checkpoints_per_widget: 20 },
}

test('premium users have the premium limits, and everybody else has the limits of the free tier', () => {
  expect(effectiveLimits(tiers, true)).toEqual(tiers.premium)
  expect(effectiveLimits(tiers, false)).toEqual(tiers.free)
})

test.each([true, false])('without loaded limits two widgets of one checkpoint have room (premium: %s)', (premium) => {
  expect(effectiveLimits(undefined, premium)).toEqual({ max_widgets: 2, max_checkpoints_per_widget: 1 })
})

const rows = (active: number, inactive: number) =>
  Array.from({ length: active + inactive }, (_, index) => ({ is_active: index < active }))
const limit = (max_widgets: number, isFresh: boolean) => ({
  limits: { max_widgets, max_checkpoints_per_widget: 1 },
  isFresh,
})
const shown = (...args: Parameters<typeof activeRows>) =>
  activeRows(...args).filter(({ is_active }) => is_active).length

test('rows stay active or inactive as the server sent them, whatever an older limit says', () => {
  expect(shown(rows(3, 2), limit(5, false))).toBe(3)
  expect(shown(rows(5, 0), limit(3, false))).toBe(5)
})

test('a limit as fresh as the rows makes rows beyond it inactive, and no inactive row active', () => {
  expect(shown(rows(5, 0), limit(3, true))).toBe(3)
  expect(shown(rows(3, 2), limit(5, true))).toBe(3)
})

test.each([
  [3, 2, 5, 3],
  [3, 0, 5, 5],
  [7, 0, 5, 7],
  [0, 0, 2, 2],
])('%i active and %i inactive rows, newer than a limit of %i, leave %i slots', (active, inactive, max, slots) => {
  expect(activeSlots(rows(active, inactive), limit(max, false))).toBe(slots)
})

test('a limit as fresh as the rows is the number of slots', () => {
  expect([activeSlots(rows(3, 2), limit(5, true)), activeSlots(rows(5, 0), limit(3, true))]).toEqual([5, 3])
})

test.each([
  [3, 2, 3, false],
  [3, 0, 5, false],
  [3, 2, 5, true],
  [5, 0, 3, true],
])('%i active and %i inactive rows contradict a limit of %i: %s', (active, inactive, max, expected) => {
  expect(contradicts(rows(active, inactive), limit(max, false).limits)).toBe(expected)
})

const full = { active: 2, max: 2 }

test.each([
  [{ ...full, account: 'premium' }, 'MAX_LIMIT_NEXT_UP', 'MAX_LIMIT_QUEUED', null],
  [{ ...full, account: 'free' }, 'TIER_LIMIT', 'TIER_LIMIT', 'upgrade'],
  [{ ...full, account: 'guest' }, 'TIER_LIMIT', 'TIER_LIMIT', 'login'],
  [{ active: 1, max: 2, account: 'premium' }, 'NOT_YET_ACTIVE', 'NOT_YET_ACTIVE', null],
  [{ active: 1, max: 2, account: 'guest' }, 'NOT_YET_ACTIVE', 'NOT_YET_ACTIVE', null],
] as const)('inactive widgets of %o have the reason %s, those behind the first %s', (place, first, rest, upgrade) => {
  expect(inactiveNotices(place)).toEqual({ first: { code: first, upgrade }, rest: { code: rest, upgrade } })
})
