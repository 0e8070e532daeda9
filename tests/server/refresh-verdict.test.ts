import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { judgeRefresh, type Presented, successorOf } from '../../server/services/sessions/refresh-token'

const KEY = new TextEncoder().encode('a key of the server')
const NOW = Date.UTC(2026, 0, 15)

test('the successor of a refresh token is always the same, and differs by token and by server key', () => {
  const token = 'a token'
  expect(successorOf(KEY, token)).toBe(successorOf(KEY, token))
  expect(successorOf(KEY, token)).toMatch(/^[\w-]{43}$/)
  const others = [
    successorOf(KEY, 'another'),
    successorOf(new Uint8Array([1]), token),
    successorOf(KEY, successorOf(KEY, token)),
  ]
  expect(new Set([token, successorOf(KEY, token), ...others]).size).toBe(5)
})

/** A session that ends long after all that happens here. */
const LIVES = { endsAt: NOW + 180 * DAY, otherReturnedAt: null, isSameAttempt: null, isNameless: false }
const UNUSED = { expiresAt: NOW + 30 * DAY, usedAt: null, seenAt: null }
const used = (
  successor: Partial<typeof UNUSED> | { usedAt?: number; seenAt?: number },
  other: number | null = null,
) => ({ ...LIVES, expiresAt: NOW, usedAt: NOW, otherReturnedAt: other, successor: { ...UNUSED, ...successor } })

test('an unused refresh token rotates until its expiry time, and is expired from then on and once the session is over', () => {
  const first = { ...LIVES, expiresAt: NOW, usedAt: null, successor: null }
  expect(judgeRefresh(first, NOW - 1)).toBe('rotate')
  expect(judgeRefresh(first, NOW)).toBe('expired')
  expect(judgeRefresh({ ...first, endsAt: NOW - 1 }, NOW - 1)).toBe('expired')
})

test('a used refresh token is answered again for seven days after its first use, while its successor is unseen', () => {
  expect(judgeRefresh(used({}), NOW + 7 * DAY - 1)).toBe('repeat')
  expect(judgeRefresh(used({}), NOW + 7 * DAY)).toBe('expired')
})

test('a used refresh token may return for a minute after its successor was used, and for ten after that was seen', () => {
  expect(judgeRefresh(used({ usedAt: NOW }), NOW + MINUTE)).toBe('return')
  expect(judgeRefresh(used({ usedAt: NOW }), NOW + MINUTE + 1)).toBe('stolen')
  expect(judgeRefresh(used({ seenAt: NOW }), NOW + 10 * MINUTE)).toBe('return')
  expect(judgeRefresh(used({ seenAt: NOW }), NOW + 10 * MINUTE + 1)).toBe('stolen')
})

test('a refresh token that returns within a day of another one of its session counts as stolen', () => {
  const again = used({ seenAt: NOW }, NOW - DAY + 1)
  expect(judgeRefresh(again, NOW)).toBe('stolen')
  expect(judgeRefresh(again, NOW + 1)).toBe('return')
})

test('a used refresh token that another attempt presents is stolen at any time, arrived or not, until the session is over', () => {
  for (const successor of [{}, { usedAt: NOW }, { seenAt: NOW }]) {
    const another = { ...used(successor), isSameAttempt: false }
    for (const later of [0, 4 * MINUTE, 14 * MINUTE, 20 * MINUTE, 30 * DAY])
      expect(judgeRefresh(another, NOW + later)).toBe('stolen')
    expect(judgeRefresh({ ...another, endsAt: NOW }, NOW)).toBe('expired')
  }
})

test('an attempt without a name rotates and repeats nothing where the client names its attempts, and ends no session that it would not', () => {
  const nameless = (token: Presented) => judgeRefresh({ ...token, isNameless: true }, NOW)
  expect(nameless({ ...used({}), usedAt: null, successor: null, expiresAt: NOW + 1 })).toBe('nameless')
  for (const successor of [{}, { usedAt: NOW }, { seenAt: NOW }]) expect(nameless(used(successor))).toBe('nameless')
  expect(nameless(used({ usedAt: NOW - HOUR }))).toBe('stolen')
})

test('a refresh token counts as stolen by time only if its successor arrived, and no verdict outlives the session, at any time', () => {
  const time = fc.integer({ min: 0, max: 2_000_000 })
  const when = fc.option(time, { nil: null })
  const successor = fc.option(fc.record({ expiresAt: time, usedAt: when, seenAt: when }), { nil: null })
  const presented = fc.record({
    expiresAt: time,
    endsAt: time,
    usedAt: when,
    otherReturnedAt: when,
    successor,
    isSameAttempt: fc.constantFrom(true, null),
    isNameless: fc.boolean(),
  })
  fc.assert(
    fc.property(presented, time, (token, now) => {
      const verdict = judgeRefresh(token, now)
      const hasArrived = (token.successor?.usedAt ?? token.successor?.seenAt ?? null) !== null
      if (verdict === 'stolen' || verdict === 'return')
        expect([token.usedAt !== null, hasArrived]).toEqual([true, true])
      if (verdict === 'rotate') expect(now).toBeLessThan(token.expiresAt)
      if (verdict === 'repeat' || verdict === 'return') expect(now).toBeLessThan(token.successor?.expiresAt ?? -1)
      if (verdict !== 'expired') expect(now).toBeLessThan(token.endsAt)
    }),
  )
})
