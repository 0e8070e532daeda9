import { expect, test } from 'vitest'
import { playModel } from './run.mjs'

test('a thousand random histories in the model of sync break no invariant', { timeout: 120_000 }, () => {
  expect(playModel(1_000)).toEqual([])
})

test.each(['guest401', 'noRoute', 'keepLost', 'pass', 'groupDiscard'])(
  'the model of sync finds a violation within two thousand histories when the rule %s is left out',
  { tags: ['full'], timeout: 300_000 },
  (rule) => {
    expect(playModel(2_000, 1, [rule])).not.toEqual([])
  },
)
