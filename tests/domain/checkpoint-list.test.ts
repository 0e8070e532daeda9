import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkRoomForCheckpoint,
  reorderedCheckpoints,
  withCheckpoint,
  withDefault,
  withoutCheckpoints,
} from '../../src/domain/checkpoint-list'
import { expectRows } from '../support/expect-rows'

type Listed = Parameters<typeof withCheckpoint>[1]

/** `abC`: three checkpoints in this order, the capital one is the default. */
const list = (text: string): Listed[] =>
  text.split('').map((letter, index) => ({
    id: letter.toLowerCase(),
    is_default: letter !== letter.toLowerCase(),
    display_order: index,
  }))
const shown = (result: readonly Listed[]): string =>
  result
    .toSorted((a, b) => a.display_order - b.display_order)
    .map(({ id, is_default }) => (is_default ? id.toUpperCase() : id))
    .join('')
const one = (text: string): Listed => list(text)[0]!

test('an added checkpoint stands last, and is the default if it is the first or says so', () =>
  expectRows(
    (before, made) => shown(withCheckpoint(list(before), one(made))),
    [
      ['', 'a', 'A'],
      ['', 'A', 'A'],
      ['abC', 'd', 'abCd'],
      ['abC', 'D', 'abcD'],
      ['abC', 'B', 'acB'],
    ],
  ))

test('without its default the list has its last checkpoint as default, and unknown ids change nothing', () =>
  expectRows(
    (before, ids) => shown(withoutCheckpoints(list(before), ids.split(''))),
    [
      ['abC', 'a', 'bC'],
      ['abC', 'c', 'aB'],
      ['Abc', 'a', 'bC'],
      ['Abcd', 'ad', 'bC'],
      ['aBc', 'abc', ''],
      ['aBc', '?', 'aBc'],
    ],
  ))

test('a reorder puts the named checkpoints first, each once, and passes unknown ids by', () =>
  expectRows(
    (before, ids) => shown(reorderedCheckpoints(list(before), ids.split(''))),
    [
      ['abC', 'cba', 'Cba'],
      ['abC', 'b', 'baC'],
      ['abC', 'c?ca', 'Cab'],
      ['abC', '', 'abC'],
    ],
  ))

test('a known checkpoint becomes the only default', () =>
  expectRows(
    (before, id) => shown(withDefault(list(before), id)),
    [
      ['abC', 'a', 'Abc'],
      ['abC', 'c', 'abC'],
      ['abC', '?', 'abC'],
    ],
  ))

const letters = 'abcdefgh'.split('')
const lists = fc
  .tuple(fc.shuffledSubarray(letters), fc.nat(7))
  .map(([ids, chosen]) =>
    ids.map((id, index) => ({ id, is_default: index === chosen % Math.max(1, ids.length), display_order: index })),
  )
const changes: fc.Arbitrary<(before: readonly Listed[]) => Listed[]> = fc.oneof(
  fc
    .record({ id: fc.constantFrom(...letters), is_default: fc.boolean() })
    .map((made) => (before: readonly Listed[]) => withCheckpoint(before, { ...made, display_order: 0 })),
  fc.array(fc.constantFrom(...letters)).map((ids) => (before: readonly Listed[]) => withoutCheckpoints(before, ids)),
  fc.array(fc.constantFrom(...letters)).map((ids) => (before: readonly Listed[]) => reorderedCheckpoints(before, ids)),
  fc.constantFrom(...letters).map((id) => (before: readonly Listed[]) => withDefault(before, id)),
)

test('after any changes, a checkpoint list is numbered by its places and has exactly one default unless empty', () => {
  fc.assert(
    fc.property(lists, fc.array(changes, { maxLength: 6 }), (start, steps) => {
      const end = steps.reduce((list, step) => step(list), start)
      expect(end.map(({ display_order }) => display_order)).toEqual(end.map((_, index) => index))
      expect(end.filter(({ is_default }) => is_default)).toHaveLength(end.length === 0 ? 0 : 1)
      expect(new Set(end.map(({ id }) => id)).size).toBe(end.length)
    }),
  )
})

test('a change of a checkpoint list gives the same result for rows in any order', () => {
  const shuffled = lists.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  fc.assert(
    fc.property(shuffled, changes, ([before, mixed], change) => {
      expect(change(mixed)).toEqual(change(before))
    }),
  )
})

test('reorder and set-default keep every checkpoint and leave the list that was passed in unchanged', () => {
  const ids = (of: readonly Listed[]) => of.map(({ id }) => id).toSorted()
  fc.assert(
    fc.property(lists, fc.array(fc.constantFrom(...letters)), (before, wanted) => {
      const copy = structuredClone(before)
      expect(ids(reorderedCheckpoints(before, wanted))).toEqual(ids(before))
      expect(ids(withDefault(before, wanted[0] ?? ''))).toEqual(ids(before))
      expect(reorderedCheckpoints(before, wanted).find((each) => each.is_default)?.id).toBe(
        before.find((each) => each.is_default)?.id,
      )
      expect(before).toEqual(copy)
    }),
  )
})

test('a checkpoint list at the limit of its tier takes no more checkpoints', () => {
  const limits = { max_widgets: 5, max_checkpoints_per_widget: 2 }
  expect(checkRoomForCheckpoint(1, limits)).toBe(null)
  const refusal = 'You have reached the limit of 2 checkpoints for this widget on your current tier.'
  expect(checkRoomForCheckpoint(2, limits)).toBe(refusal)
  expect(checkRoomForCheckpoint(3, limits)).toBe(refusal)
})
