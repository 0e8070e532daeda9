import { expect, test } from 'vitest'
import { readRequest } from '../../src/sync/protocol'

test('the engine takes no message that is not a valid request to the engine', () => {
  expect(readRequest({ type: 'sync', reason: 'start' })).toEqual({ type: 'sync', reason: 'start' })
  expect(readRequest({ type: 'sync', reason: 'whim' })).toBeNull()
  expect(readRequest({ type: 'history', coin: '../x', period: '1d' })).toBeNull()
  expect(readRequest('SKIP_WAITING')).toBeNull()
})
