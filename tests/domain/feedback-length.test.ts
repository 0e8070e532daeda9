import { expect, test } from 'vitest'
import { feedbackLength, whatIsWrong } from '../../src/domain/account'
test.each([
  [0, '10 more characters needed'],
  [8, '2 more characters needed'],
  [9, '1 more character needed'],
  [10, null],
  [5000, null],
  [5001, '1 character too many'],
  [5012, '12 characters too many'],
])('the error for feedback of %i characters is: %s', (length, wrong) => expect(whatIsWrong(length)).toBe(wrong))

test('white space around a feedback message does not count towards its length', () => {
  expect(feedbackLength('  two words \n')).toBe(9)
})
