import { expect, test } from 'vitest'
import { feedbackBody } from '../../src/contract/settings'
import { LONGEST_FEEDBACK, SHORTEST_FEEDBACK } from '../../src/domain/account'

const parse = (message: string) => feedbackBody.safeParse({ message }).data?.message

test('the length of feedback is judged without the spaces around it', () => {
  const shortest = 'x'.repeat(SHORTEST_FEEDBACK)
  const longest = 'x'.repeat(LONGEST_FEEDBACK)
  expect(parse(`  ${shortest}\n`)).toBe(shortest)
  expect(parse(` ${longest} `)).toBe(longest)
  expect(parse(`${shortest.slice(1)} `)).toBeUndefined()
  expect(parse(`${longest}x`)).toBeUndefined()
})
