import { expect, test } from 'vitest'
import { routes } from '../../src/contract/routes'
import type { OwnerId, WidgetId } from '../../src/domain/ids'
import { readAnswer } from '../../src/sync/request'
import { classify } from '../../src/sync/drain'
import { createOf, entryOf, NOW, uuid, widgetNumber } from '../db/support/entries'
import { wireWidget } from '../support/widget-row'

const W = (n: number): WidgetId => widgetNumber(n).id
const remove = (seq: number, widget: WidgetId, change = {}) => entryOf(seq, 'widget.delete@1', { widget }, change)

const raw = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  header: (name: string) => headers[name] ?? null,
})
const create = createOf(1, 1, { owner: uuid(9) as OwnerId, attempts: 1 })
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
  ['500 with our code', 500, error('INTERNAL_ERROR'), 'again'],
  ['503 with our code', 503, error('MARKET_DATA_UNAVAILABLE'), 'again'],
  ['401 of a portal', 401, '<html>', 'again'],
  ['403 of a proxy', 403, { message: 'blocked' }, 'again'],
  ['401 with our code', 401, error('INVALID_TOKEN'), 'pause'],
  ['404 at the first attempt: nothing can have been made', 404, error('NOT_FOUND'), 'not-there'],
  ['404 of an unknown address', 404, error('NO_SUCH_ROUTE'), 'again'],
  ['404 of a proxy', 404, '<html>Not found</html>', 'again'],
  ['a code of a newer server', 409, error('OF_ANOTHER_VERSION'), 'refused'],
  ['401 with a code of a newer server', 401, error('OF_ANOTHER_VERSION'), 'again'],
  ['429 with a code of a newer server', 429, error('OF_ANOTHER_VERSION'), 'again'],
  ['the pair is there', 409, { ...error('PAIR_EXISTS'), widget: wireWidget() }, 'exists'],
  ['the limit', 403, error('WIDGET_LIMIT_REACHED'), 'refused'],
  ['an unknown coin', 422, error('UNKNOWN_COIN'), 'refused'],
])('the answer to a create is classified by status, schema and code: %s', (_, status, body, kind) => {
  expect(outcome(status, body)).toBe(kind)
})

test('a NOT_FOUND to a create counts as made and removed elsewhere once an attempt has ended otherwise', () => {
  const kind = (change: object) => {
    const entry = { ...create, ...change }
    return classify(entry, readAnswer(routes.createWidget, raw(404, error('NOT_FOUND')), NOW)).kind
  }
  expect(kind({ attempts: 2 })).toBe('removed-since')
  expect(kind({ attempts: 3, not_found: 2 })).toBe('not-there')
  expect(kind({ attempts: 4, not_found: 2 })).toBe('removed-since')
})

test('a 401 with our code lets a guest’s change wait, since a guest cannot log in again', () => {
  const answer = readAnswer(routes.createWidget, raw(401, error('UNAUTHENTICATED')), NOW)
  expect(classify(createOf(1, 1), answer)).toMatchObject({ kind: 'again', error: { message: 'No.' } })
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
  expect(code(503, error('BILLING_UNAVAILABLE'))).toMatchObject({
    kind: 'unavailable',
    status: 503,
    error_code: 'BILLING_UNAVAILABLE',
    message: 'No.',
  })
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
