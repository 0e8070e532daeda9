import { Dexie } from 'dexie'
import { expect, test } from 'vitest'
import { rootCause } from '../../workers/root-cause'

test('an aborted transaction tells why', () => {
  const quota = new DOMException('The disk is full.', 'QuotaExceededError')
  const aborted = new Dexie.AbortError('Transaction aborted', quota)
  expect(rootCause(aborted)).toBe(quota)
  expect(rootCause(new Error('outer', { cause: aborted }))).toBe(quota)
})

test('an error without a cause speaks for itself, anything else becomes one', () => {
  const plain = new Error('plain')
  expect(rootCause(plain)).toBe(plain)
  expect(rootCause(new Error('outer', { cause: 'text' })).message).toBe('outer')
  expect(rootCause('text').message).toBe('text')
})

test('causes that run in a circle come to an end', () => {
  const one = new Error('one')
  one.cause = new Error('two', { cause: one })
  expect(rootCause(one)).toBeInstanceOf(Error)
})
