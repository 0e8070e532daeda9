import { expect, test } from 'vitest'
import { NOT_THE_APP } from '../../src/domain/app-paths'

test.each([
  '/api/v1/widgets',
  '/api',
  '//api/v1/gone',
  '/assets/index-0a1b2c.js',
  '/healthz',
  '/sandbox?mail=1',
  '/.well-known/change-password',
])('the service worker leaves a navigation to %s to the server', (path) => {
  expect(NOT_THE_APP.test(path)).toBe(true)
})

test.each(['/', '/settings', '/chart/1', '/apiary', '/radar/api/assets', '/sandbox-pairs'])(
  'the service worker answers a navigation to %s with the app',
  (path) => {
    expect(NOT_THE_APP.test(path)).toBe(false)
  },
)
