import { expect, it } from 'vitest'
import { atom, createStore } from 'jotai'
import { keepIdentity, keepItems, steadyAtom } from '../../../src/state/keep-identity'

it('keepIdentity returns the previous object when nothing differs', () => {
  const previous = { a: [1, { b: null }], c: 'x' }
  expect(keepIdentity(previous, structuredClone(previous))).toBe(previous)
})

it('keepIdentity keeps the equal parts of the previous object and takes the others from the new one', () => {
  const previous = { same: { deep: [1] }, other: { n: 1 } }
  const shared = keepIdentity(previous, { same: { deep: [1] }, other: { n: 2 } })
  expect(shared).toEqual({ same: { deep: [1] }, other: { n: 2 } })
  expect(shared.same).toBe(previous.same)
  expect(shared.other).not.toBe(previous.other)
})

it('keepIdentity notices lost and added keys, shorter lists, and undefined against missing', () => {
  expect(keepIdentity({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 })
  expect(keepIdentity({ a: 1 }, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
  expect(keepIdentity([1, 2], [1])).toEqual([1])
  expect(Object.keys(keepIdentity({ a: 1 }, { b: undefined }))).toEqual(['b'])
})

it('keepIdentity takes NaN as equal to itself, and compares columns by their numbers', () => {
  const previous = { n: NaN, column: Float64Array.of(1, NaN) }
  expect(keepIdentity(previous, { n: NaN, column: Float64Array.of(1, NaN) })).toBe(previous)
  for (const column of [Float64Array.of(1, 2), Float64Array.of(1)]) {
    expect(keepIdentity(previous, { n: NaN, column }).column).toBe(column)
  }
})

it('a steady atom wakes who reads it when its value differs, not when it is only made anew', () => {
  const source = atom({ n: 1, other: 'a' })
  const store = createStore()
  const heard: unknown[] = []
  const steady = steadyAtom((get) => [get(source).n])
  store.sub(steady, () => heard.push(store.get(steady)))
  store.set(source, { n: 1, other: 'b' })
  expect(heard).toEqual([])
  store.set(source, { n: 2, other: 'b' })
  expect(heard).toEqual([[2]])
})

const keyOf = (item: { id: string }) => item.id
it('keepItems returns the previous object of an equal item that has moved in the list', () => {
  const previous = [
    { id: 'a', n: 1 },
    { id: 'b', n: 2 },
  ]
  const shared = keepItems(
    previous,
    [
      { id: 'b', n: 2 },
      { id: 'a', n: 9 },
    ],
    keyOf,
  )
  expect(shared).toEqual([
    { id: 'b', n: 2 },
    { id: 'a', n: 9 },
  ])
  expect(shared[0]).toBe(previous[1])
})

it('keepItems returns the previous list when nothing differs', () => {
  const previous = [{ id: 'a' }]
  expect(keepItems(previous, [{ id: 'a' }], keyOf)).toBe(previous)
})
