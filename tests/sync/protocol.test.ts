import { expect, test } from 'vitest'
import { readRequest } from '../../src/sync/engine'
test('the engine takes no message that is not a valid request to the engine', () => {
  expect(readRequest({ kind: 'sync', reason: 'start' })).toEqual({ kind: 'sync', reason: 'start' })
  expect(readRequest({ kind: 'sync', reason: 'whim' })).toBeNull()
  const listed = { kind: 'call', route: 'listChannels', input: {} }
  expect(readRequest(listed), 'a route that only the engine joins to the others').toEqual(listed)
  expect(readRequest({ kind: 'call', route: 'divination', input: {} })).toBeNull()
  expect(readRequest('SKIP_WAITING')).toBeNull()
})

test('the service worker leaves requests in the words of earlier versions to the page’s own engine', () => {
  const coin = 'bitcoin'
  expect(readRequest({ type: 'sync', reason: 'start' })).toBeNull()
  expect(readRequest({ type: 'history', coin, period: '1d' })).toBeNull()
  expect(readRequest({ type: 'account', request: { kind: 'reload-account' } })).toBeNull()
  expect(readRequest({ type: 'question', question: { kind: 'devices' } })).toBeNull()
})
