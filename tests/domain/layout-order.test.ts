import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isActiveAt, reorder, withSwapped } from '../../src/domain/layout-order'
import { expectRows } from '../support/expect-rows'

const board = (active: string, inactive = '') => [
  ...active.split('').map((id) => ({ id, is_active: true })),
  ...inactive.split('').map((id) => ({ id, is_active: false })),
]
const after = (current: ReturnType<typeof board>, wanted: string): string => {
  const result = reorder(current, wanted.split(''))
  return result.ok ? result.ids.join('') : 'refused'
}

const exchanged = (current: ReturnType<typeof board>, wanted: string): string => {
  const result = reorder(current, wanted.split(''), true)
  return result.ok ? result.ids.join('') : 'refused'
}
test('an exchange puts active and inactive widgets where the order names them, and leaves the others', () =>
  expectRows(
    (active, inactive, wanted) => exchanged(board(active, inactive), wanted),
    [
      ['abc', 'xy', 'axcby', 'axcby'],
      ['abc', 'xy', 'xyabc', 'xyabc'],
      ['abc', 'xy', 'xbcay', 'xbcay'],
      // Pairs of another device, which this order does not name, stay what they are.
      ['abcd', 'xyz', 'xbcay', 'xbcdayz'],
      // The active pair was removed meanwhile, and another one has moved up in its place.
      ['acy', 'x', 'xbcay', 'xcay'],
      ['abc', 'xy', '', 'abcxy'],
      ['abc', '', 'cab', 'cab'],
    ],
  ))

test('an exchange is never refused, keeps every widget, and leaves each widget that it does not name in its group', () => {
  const layout = fc.tuple(fc.nat(6), fc.nat(4)).map(([a, i]) => board('abcdef'.slice(0, a), 'uvwx'.slice(0, i)))
  const orders = fc.array(fc.constantFrom(...'abcdefuvwxz'.split('')), { maxLength: 14 })
  fc.assert(
    fc.property(layout, orders, (current, wanted) => {
      const after = exchanged(current, wanted.join(''))
      const ids = current.map(({ id }) => id)
      expect(after.split('').toSorted()).toEqual(ids.toSorted())
      const count = current.filter(({ is_active }) => is_active).length
      for (const { id, is_active } of current) {
        if (!wanted.includes(id)) expect(after.indexOf(id) < count).toBe(is_active)
      }
    }),
  )
})

test('two widgets change places; a widget that is gone changes nothing', () => {
  expect(withSwapped(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'b', 'a'])
  expect(withSwapped(['a', 'b', 'c'], 'c', 'z')).toEqual(['a', 'b', 'c'])
})

test('a reorder moves the named widgets to the front of their group, and is refused where it mixes the groups', () =>
  expectRows(
    (active, inactive, wanted) => after(board(active, inactive), wanted),
    [
      ['abc', 'xy', 'cbayx', 'cbayx'],
      ['abc', 'xy', '', 'abcxy'],
      ['abc', 'xy', 'c', 'cabxy'],
      ['abc', 'xy', 'y', 'abcyx'],
      ['abc', '', 'cc?aca', 'cab'],
      ['abc', 'xy', 'by', 'bacyx'],
      ['abc', 'xy', 'xa', 'refused'],
      ['abc', 'xy', 'axb', 'refused'],
      ['', 'xy', 'yx', 'yx'],
    ],
  ))

test('a reorder that mixes active and inactive widgets is refused; any other permutes the layout as requested', () => {
  const layout = fc.tuple(fc.nat(6), fc.nat(4)).map(([a, i]) => board('abcdef'.slice(0, a), 'uvwx'.slice(0, i)))
  const orders = fc.array(fc.constantFrom(...'abcdefuvwxz'.split('')), { maxLength: 14 })
  fc.assert(
    fc.property(layout, orders, (current, wanted) => {
      const result = reorder(current, wanted)
      const ids = current.map(({ id }) => id)
      const groups = new Map(current.map(({ id, is_active }) => [id, is_active]))
      const named = [...new Set(wanted)].filter((id) => groups.has(id))
      const mixes = named.some(
        (id, i) => groups.get(id) === true && named.slice(0, i).some((one) => groups.get(one) === false),
      )
      expect(result.ok).toBe(!mixes)
      if (!result.ok) return
      expect(result.ids.toSorted()).toEqual(ids.toSorted())
      expect(result.ids.filter((id) => named.includes(id))).toEqual(named)
      const left = ids.filter((id) => !named.includes(id))
      expect(result.ids.filter((id) => left.includes(id))).toEqual(left)
      const firstInactive = result.ids.findIndex((id) => groups.get(id) === false)
      if (firstInactive >= 0) expect(result.ids.slice(firstInactive).some((id) => groups.get(id) === true)).toBe(false)
      expect(
        reorder(
          result.ids.map((id) => ({ id, is_active: groups.get(id)! })),
          wanted,
        ),
      ).toEqual(result)
    }),
  )
})

test('the first widgets up to the limit are the active ones', () => {
  expect([0, 1, 2].map((index) => isActiveAt(index, 2))).toEqual([true, true, false])
})
