import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  judgeRefresh,
  REFRESH_GRACE,
  REFRESH_LIFETIME,
  successorOf,
} from '../../server/services/sessions/refresh-token'

const KEY = new TextEncoder().encode('a key of the server')
const NOW = Date.UTC(2026, 0, 15)

test('the successor of a refresh token is always the same, and differs by token and by server key', () => {
  const token = 'a token'
  expect(successorOf(KEY, token)).toBe(successorOf(KEY, token))
  expect(successorOf(KEY, token)).toMatch(/^[\w-]{43}$/)
  const others = [successorOf(KEY, 'another'), successorOf(new Uint8Array([1]), token), successorOf(KEY, successorOf(KEY, token))] // prettier-ignore
  expect(new Set([token, successorOf(KEY, token), ...others]).size).toBe(5)
})

test('an unused refresh token rotates until its expiry time, and is expired from then on', () => {
  const first = { expiresAt: NOW, usedAt: null, successor: null }
  expect(judgeRefresh(first, NOW - 1)).toBe('rotate')
  expect(judgeRefresh(first, NOW)).toBe('expired')
})

test('a used refresh token is answered with its successor until the successor has been used for a minute or has expired', () => {
  const used = (successor: { expiresAt: number; usedAt: number | null }) => ({ expiresAt: 0, usedAt: 0, successor })
  const unused = used({ expiresAt: NOW, usedAt: null })
  expect(judgeRefresh(unused, NOW - 1)).toBe('repeat')
  expect(judgeRefresh(unused, NOW)).toBe('expired')
  const followed = used({ expiresAt: NOW + REFRESH_LIFETIME, usedAt: NOW })
  expect(judgeRefresh(followed, NOW)).toBe('repeat')
  expect(judgeRefresh(followed, NOW + REFRESH_GRACE)).toBe('repeat')
  expect(judgeRefresh(followed, NOW + REFRESH_GRACE + 1)).toBe('stolen')
})

test('a refresh token counts as stolen only if its successor was used, and rotates only before it expires, at any time', () => {
  const time = fc.integer({ min: 0, max: 1_000 })
  const when = fc.option(time, { nil: null })
  fc.assert(
    fc.property(time, when, fc.option(fc.record({ expiresAt: time, usedAt: when }), { nil: null }), time, (expiresAt, usedAt, successor, now) => {
      const verdict = judgeRefresh({ expiresAt, usedAt, successor }, now)
      if (verdict === 'stolen') expect([usedAt, successor?.usedAt]).not.toContain(null)
      if (verdict === 'rotate') expect(now).toBeLessThan(expiresAt)
      if (verdict === 'repeat') expect(now).toBeLessThan(successor?.expiresAt ?? -1)
    }),
  ) // prettier-ignore
})
