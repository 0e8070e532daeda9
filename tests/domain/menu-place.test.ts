import { expect, test } from 'vitest'
import { menuPlace } from '../../src/domain/popup-place'
const window = { width: 360, height: 780 }
const menu = { width: 160, height: 180 }

test('a menu opens below its handle, with the right edges in line', () => {
  expect(menuPlace({ top: 100, right: 340, bottom: 132 }, menu, window)).toEqual({ left: 180, top: 136 })
})

test('a menu opens above its handle where the menu does not fit below', () => {
  expect(menuPlace({ top: 700, right: 340, bottom: 732 }, menu, window)).toEqual({ left: 180, top: 516 })
})

test('a menu never lies beyond the edges of the window', () => {
  expect(menuPlace({ top: 100, right: 90, bottom: 740 }, menu, window)).toEqual({ left: 8, top: 8 })
})
