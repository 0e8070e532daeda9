import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/contract/routes'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId, WidgetId } from '../../src/domain/ids'
import { readAnswer } from '../../src/sync/answer'
import { backoff, isDue, isSpaced, LONGEST_WAIT, SHORTEST_WAIT } from '../../src/sync/backoff'
import { isBlocked, nextToSend } from '../../src/sync/blocking'
import { classify } from '../../src/sync/classify'
import { acceptedPrices, PRICE_SPACING, pricesDueAt } from '../../src/sync/price-rules'
import { readRequest } from '../../src/sync/protocol'
import { stalePeriod } from '../../src/sync/staleness'
import { createOf, entryOf, NOW, widgetNumber } from '../db/support/entries'
import { priceRow } from '../support/price-row'
import { wireWidget } from '../support/widget-row'

const NONE = new Map<string, string>()
const W = (n: number): WidgetId => widgetNumber(n).id
const update = (seq: number, widget: WidgetId, change = {}) =>
  entryOf(seq, 'widget.update@1', { widget, body: {} }, change)
const remove = (seq: number, widget: WidgetId, change = {}) => entryOf(seq, 'widget.delete@1', { widget }, change)
const reorder = (seq: number, change = {}) => entryOf(seq, 'layout.reorder@1', { ordered_ids: [] }, change)

describe('history staleness', () => {
  test.each([
    [null, '1d'],
    [0, null],
    [15 * MINUTE, null],
    [15 * MINUTE + 1, '1d'],
    [DAY, '1d'],
    [DAY + 1, '7d'],
    [7 * DAY, '7d'],
    [7 * DAY + 1, '3m'],
    [90 * DAY, '3m'],
    [90 * DAY + 1, '1y'],
    [-HOUR, '1d'],
  ])('a newest history point of age %s asks for %s', (age, period) => {
    expect(stalePeriod(age === null ? null : NOW - age, NOW)).toBe(period)
  })
})

describe('backoff', () => {
  test('the backoff stays between 2 s and 4 min, for any Retry-After and any random number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.option(fc.double({ min: 0, max: 1e12, noNaN: true })),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, retryAfter, random) => {
          const wait = backoff(failures, retryAfter, random)
          expect(wait).toBeGreaterThanOrEqual(SHORTEST_WAIT)
          expect(wait).toBeLessThanOrEqual(LONGEST_WAIT)
        },
      ),
    )
  })

  test('the backoff doubles with each failure, and waits for a Retry-After up to the longest wait', () => {
    expect([1, 2, 3, 4].map((failures) => backoff(failures, null, 0.999_999)).map(Math.round)).toEqual([2000, 4000, 8000, 16_000]) // prettier-ignore
    expect(backoff(1, 30_000, 0)).toBe(30_000)
    expect(backoff(1, 900_000, 0)).toBe(LONGEST_WAIT)
  })

  test('a stored time further ahead than the app ever writes was written by a wrong clock, and is due', () => {
    expect(isDue(NOW + LONGEST_WAIT, NOW)).toBe(false)
    expect(isDue(NOW + 300_001, NOW)).toBe(true)
    expect(isSpaced(NOW + 1, 60_000, NOW)).toBe(true)
    expect(isSpaced(NOW - 59_999, 60_000, NOW)).toBe(false)
  })
})

describe('outbox order', () => {
  test('outbox entries of one widget are sent in order, those of other widgets side by side', () => {
    const queue = [update(1, W(1), { state: 'leased' }), update(2, W(1)), update(3, W(2))]
    expect(nextToSend(queue, NONE, NOW)?.seq).toBe(3)
  })

  test('outbox entries that name one widget by its temporary and by its real id block each other', () => {
    const queue = [update(1, W(1), { state: 'leased' }), update(2, 'temp-1' as WidgetId)]
    expect(isBlocked(queue[1]!, queue, new Map([['temp-1', W(1)]]))).toBe(true)
  })

  test.each([
    ['a create', createOf(2, 2), 'an earlier create', createOf(1, 1), true],
    ['a create', createOf(2, 2), 'an earlier delete', remove(1, W(1)), true],
    ['a create', createOf(2, 2), 'an earlier reorder', reorder(1), true],
    ['a create', createOf(2, 2), 'an earlier change', update(1, W(1)), false],
    ['a delete', remove(2, W(2)), 'an earlier create', createOf(1, 1), false],
    ['a delete', remove(2, W(2)), 'an earlier delete', remove(1, W(1)), false],
    ['a delete', remove(2, W(2)), 'an earlier reorder', reorder(1), true],
    ['a reorder', reorder(2), 'an earlier create', createOf(1, 1), true],
    ['a reorder', reorder(2), 'an earlier delete', remove(1, W(1)), true],
    ['a reorder', reorder(2), 'an earlier reorder', reorder(1), true],
    ['a reorder', reorder(2), 'an earlier change', update(1, W(1)), false],
    ['a reorder', reorder(2), 'a change under way', update(1, W(1), { state: 'leased' }), true],
    ['a change', update(1, W(1)), 'a later reorder under way', reorder(2, { state: 'leased' }), true],
    ['a change', update(2, W(1)), 'an earlier create of another', createOf(1, 1), false],
    ['a change', update(2, W(1)), 'a failed one of the same', update(1, W(1), { state: 'failed' }), false],
  ])('an outbox entry is blocked as the table says: %s (%s) beside %s', (_, entry, __, other, waits) => {
    expect(isBlocked(entry, [entry, other], NONE)).toBe(waits)
  })

  test('an outbox entry that names a temporary id waits until the real id is known', () => {
    const entry = update(2, 'temp-1' as WidgetId)
    expect(isBlocked(entry, [entry], NONE)).toBe(true)
    expect(isBlocked(entry, [entry], new Map([['temp-1', W(1)]]))).toBe(false)
  })
})

describe('reading of server answers', () => {
  const raw = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
    status,
    text: typeof body === 'string' ? body : JSON.stringify(body),
    header: (name: string) => headers[name] ?? null,
  })
  const create = createOf(1, 1)
  const outcome = (status: number, body: unknown, entry = create, headers = {}) => {
    const route = entry === create ? routes.createWidget : routes.deleteWidget
    return classify(entry, readAnswer(route, raw(status, body, headers), NOW)).kind
  }
  const error = (error_code: string) => ({ detail: 'No.', error_code })

  test.each([
    ['a widget', 201, wireWidget(), 'done'],
    ['a captive portal', 200, '<html>', 'again'],
    ['half a body', 201, JSON.stringify(wireWidget()).slice(0, 50), 'again'],
    ['nothing at all', 204, '', 'again'],
    ['408', 408, '', 'again'],
    ['425', 425, '', 'again'],
    ['429', 429, error('RATE_LIMITED'), 'again'],
    ['500', 500, 'oops', 'again'],
    ['503 with our code', 503, error('MARKET_DATA_UNAVAILABLE'), 'again'],
    ['401 of a portal', 401, '<html>', 'again'],
    ['403 of a proxy', 403, { message: 'blocked' }, 'again'],
    ['401 with our code', 401, error('INVALID_TOKEN'), 'pause'],
    ['404: made, then removed elsewhere', 404, error('NOT_FOUND'), 'removed-since'],
    ['the pair is there', 409, { ...error('PAIR_EXISTS'), widget: wireWidget() }, 'exists'],
    ['the limit', 403, error('WIDGET_LIMIT_REACHED'), 'refused'],
    ['an unknown coin', 422, error('UNKNOWN_COIN'), 'refused'],
  ])('the answer to a create is classified by status, schema and code: %s', (_, status, body, kind) => {
    expect(outcome(status, body)).toBe(kind)
  })

  test('a 404 to a delete counts as done already, and a page is no answer to a delete', () => {
    expect(outcome(404, error('NOT_FOUND'), remove(1, W(1)))).toBe('already')
    expect(outcome(204, '', remove(1, W(1)))).toBe('done')
    expect(outcome(200, '<html>', remove(1, W(1)))).toBe('again')
  })

  test('a Retry-After header is read as seconds or as a date, and otherwise ignored', () => {
    const waits = (value: string) => readAnswer(routes.createWidget, raw(429, '', { 'retry-after': value }), NOW)
    expect(waits('30')).toMatchObject({ retryAfter: 30_000 })
    expect(waits(new Date(NOW + 60_000).toUTCString())).toMatchObject({ retryAfter: 60_000 })
    expect(waits('soon')).toMatchObject({ retryAfter: null })
  })

  test('an unavailable answer has an error code only where the API itself has sent a known one', () => {
    const code = (status: number, body: unknown) => readAnswer(routes.createCheckoutSession, raw(status, body), NOW)
    expect(code(503, error('BILLING_UNAVAILABLE'))).toMatchObject({ kind: 'unavailable', status: 503, error_code: 'BILLING_UNAVAILABLE', message: 'No.' }) // prettier-ignore
    expect(code(429, error('RATE_LIMITED'))).toMatchObject({ kind: 'unavailable', error_code: 'RATE_LIMITED' })
    expect(code(503, '<html>')).toMatchObject({ kind: 'unavailable', error_code: null })
    expect(code(503, error('OF_ANOTHER_VERSION'))).toMatchObject({ kind: 'unavailable', error_code: null })
    expect(code(403, { message: 'blocked' })).toMatchObject({ kind: 'unavailable', error_code: null })
  })

  test.each([
    ['134', { kind: 'ok', value: [], total: 134 }],
    ['0', { kind: 'ok', value: [], total: 0 }],
    [null, { kind: 'unavailable', status: 200 }],
    ['', { kind: 'unavailable', status: 200 }],
    ['-1', { kind: 'unavailable', status: 200 }],
    ['1e3', { kind: 'unavailable', status: 200 }],
    ['many', { kind: 'unavailable', status: 200 }],
  ])('a page of a counted list needs a whole number of all rows in x-total-count: %s', (total, answer) => {
    const headers: Record<string, string> = total === null ? {} : { 'x-total-count': total }
    expect(readAnswer(routes.adminUsers, raw(200, [], headers), NOW)).toMatchObject(answer)
    // Another route counts nothing, whatever somebody in between adds to its answer.
    expect(readAnswer(routes.listWidgets, raw(200, [], headers), NOW)).toEqual({ kind: 'ok', value: [], etag: null })
  })

  test('the message of a failed answer is its detail, else its message, else its status', () => {
    const message = (body: unknown) => readAnswer(routes.createWidget, raw(418, body), NOW)
    expect(message({ detail: [{ field: 'x' }] })).toMatchObject({ message: '[{"field":"x"}]' })
    expect(message({ message: 'Teapot' })).toMatchObject({ message: 'Teapot' })
    expect(message('<html>')).toMatchObject({ message: 'HTTP error! Status: 418' })
  })
})

describe('price rules', () => {
  const [bitcoin, ethereum] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]
  const price = priceRow({ at: NOW })
  const poll = { attempted_at: NOW, not_before: 0, asked: [bitcoin] }

  test('prices are due every 75 s, and at once for a coin that never had a price', () => {
    expect(pricesDueAt([], {}, undefined, NOW)).toBeNull()
    expect(pricesDueAt([bitcoin], {}, undefined, NOW)).toBe(NOW)
    expect(pricesDueAt([bitcoin], { [bitcoin]: price }, poll, NOW + 1)).toBe(NOW + PRICE_SPACING)
    expect(pricesDueAt([bitcoin, ethereum], { [bitcoin]: price }, poll, NOW + 1)).toBe(NOW + 1)
  })

  test('prices of a coin that has none are not asked for again right after a poll', () => {
    expect(pricesDueAt([bitcoin], {}, poll, NOW + 1)).toBe(NOW + PRICE_SPACING)
  })

  test('prices wait for a Retry-After, unless a wrong clock wrote the time', () => {
    const told = { ...poll, not_before: NOW + 200_000 }
    expect(pricesDueAt([bitcoin], {}, told, NOW + 100_000)).toBe(NOW + 200_000)
    expect(pricesDueAt([bitcoin], {}, told, NOW - DAY)).toBe(NOW - DAY)
  })

  const accepted = (answer: Parameters<typeof acceptedPrices>[0], asked: readonly CoinId[]) =>
    acceptedPrices(answer, asked, null, NOW)

  test('prices are accepted when they are finite numbers of at least 0, and were asked for', () => {
    const answer = { bitcoin: { usd: 5 }, ethereum: { usd: -1 }, other: { usd: 3 } }
    expect([...accepted(answer, [bitcoin, ethereum])]).toEqual([['bitcoin', { usd: 5, seen: NOW }]])
    expect(accepted({ bitcoin: { usd: null } }, [bitcoin]).size).toBe(0)
    expect(accepted({ bitcoin: { usd: Infinity } }, [bitcoin]).size).toBe(0)
    expect([...accepted({ bitcoin: { usd: 0 } }, [bitcoin])]).toEqual([['bitcoin', { usd: 0, seen: NOW }]])
    expect(accepted({}, ['constructor' as CoinId]).size).toBe(0)
  })

  test('prices are as old as the server says, by the server’s own clock', () => {
    const answer = { bitcoin: { usd: 5, last_updated_at: (NOW - DAY - 90_000) / 1000 } }
    const seen = (answeredAt: number | null) => acceptedPrices(answer, [bitcoin], answeredAt, NOW).get(bitcoin)?.seen
    expect(seen(NOW - DAY)).toBe(NOW - 90_000)
    expect(seen(NOW - DAY - 100_000)).toBe(NOW)
    expect(seen(null)).toBe(NOW)
  })
})

test('the engine takes no message that is not a valid request to the engine', () => {
  expect(readRequest({ type: 'sync', reason: 'start' })).toEqual({ type: 'sync', reason: 'start' })
  expect(readRequest({ type: 'sync', reason: 'whim' })).toBeNull()
  expect(readRequest({ type: 'history', coin: '../x', period: '1d' })).toBeNull()
  expect(readRequest('SKIP_WAITING')).toBeNull()
})
