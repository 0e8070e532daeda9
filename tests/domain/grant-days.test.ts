import { expect, test } from 'vitest'
import { daysProblem, readDays } from '../../src/domain/subscription'
test.each([
  ['1', 1],
  ['30', 30],
  [' 7 ', 7],
  ['3650', 3650],
])('the grant length “%s” is read as %i days', (text, days) => {
  expect(readDays(text)).toBe(days)
  expect(daysProblem(text)).toBeUndefined()
})

test.each(['', ' ', '0', '-1', '1.5', 'thirty', 'NaN'])('the grant length “%s” is no whole number of days', (text) => {
  expect(readDays(text)).toBeNull()
  expect(daysProblem(text)).toBe('Enter a whole number of days, at least 1.')
})

test.each(['3651', '1e9', 'Infinity'])('the grant length “%s” is rejected as more than 3650 days', (text) => {
  expect(readDays(text)).toBeNull()
  expect(daysProblem(text)).toBe('Grant at most 3650 days at once.')
})
