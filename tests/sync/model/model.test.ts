import { expect, test } from 'vitest'
import { playModel } from './run.mjs'

test('a hundred random histories in the model of sync, a third of them beside a stream that is cut, break no invariant', () => {
  expect(playModel(100)).toEqual([])
})

test(
  'a thousand random histories in the model of sync, with more than a thousand cuts of a stream, break no invariant',
  { tags: ['full'], timeout: 120_000 },
  () => {
    expect(playModel(1_000)).toEqual([])
  },
)

// The seeds are the first that show it; a change of the generator gives each history another seed.
test.each([
  ['guest401', 75],
  ['pass', 15],
  ['noRoute', 2_815],
  ['groupDiscard', 5_434],
  ['told', 416],
])(
  'the model of sync breaks an invariant when the rule %s is left out, in the history of seed %d',
  { tags: ['full'], timeout: 120_000 },
  (rule, seed) => {
    expect(playModel(1, seed)).toEqual([])
    expect(playModel(1, seed, [rule])).not.toEqual([])
  },
)
