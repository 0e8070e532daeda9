import { Dexie } from 'dexie'
import { expect, test } from 'vitest'
import { rootCause } from '../../workers/worker-api'

test('the root cause of an aborted transaction is the error inside, also through an outer error', () => {
  const quota = new DOMException('The disk is full.', 'QuotaExceededError')
  const aborted = new Dexie.AbortError('Transaction aborted', quota)
  expect(rootCause(aborted)).toBe(quota)
  expect(rootCause(new Error('outer', { cause: aborted }))).toBe(quota)
})

test('the root cause of an error without an error as cause is that error, and any other value becomes an error', () => {
  const plain = new Error('plain')
  expect(rootCause(plain)).toBe(plain)
  expect(rootCause(new Error('outer', { cause: 'text' })).message).toBe('outer')
  expect(rootCause('text').message).toBe('text')
})

test('rootCause comes to an end when the causes of an error form a circle', () => {
  const one = new Error('one')
  one.cause = new Error('two', { cause: one })
  expect(rootCause(one)).toBeInstanceOf(Error)
})
