import { expect, test } from 'vitest'
import { dropdownSide } from '../../src/domain/popup-place'
test.each([
  ['room for the list below', 100, 'bottom'],
  ['exactly 300 px below', 460, 'bottom'],
  ['less than 300 px below and more above', 461, 'top'],
] as const)('a dropdown opens above only where its list has less than 300 px below: %s', (_what, top, side) => {
  expect(dropdownSide({ top, bottom: top + 40 }, 800)).toBe(side)
})

test('a dropdown with little room on both sides opens on the side with more room', () => {
  expect(dropdownSide({ top: 100, bottom: 140 }, 300)).toBe('bottom')
  expect(dropdownSide({ top: 161, bottom: 200 }, 360)).toBe('top')
  expect(dropdownSide({ top: 160, bottom: 200 }, 360)).toBe('bottom')
})
