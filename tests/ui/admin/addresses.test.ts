import { expect, test } from 'vitest'
import { AUDIT_LOG, listAddress, pageOf, userAddress, USERS } from '../../../src/features/admin/admin-page'

test.each([
  [{}, '/admin/users'],
  [{ search: '', page: 1 }, '/admin/users'],
  [{ search: 'a+b@x.org', page: 3 }, '/admin/users?search=a%2Bb%40x.org&page=3'],
  [{ page: 2 }, '/admin/users?page=2'],
])('the users list address for %j carries only a search and a page after the first', (place, address) =>
  expect(listAddress(USERS, place)).toBe(address),
)

test('the audit log address carries the account that the log is limited to, and the page', () => {
  expect(listAddress(AUDIT_LOG, { user: 'u-1', page: 2 })).toBe('/admin/audit-log?user=u-1&page=2')
  expect(listAddress(AUDIT_LOG, { user: null })).toBe('/admin/audit-log')
})

test.each([
  ['page=2', 2],
  ['search=x&page=9999', 9999],
])('the page number is read from the query %s', (query, page) => expect(pageOf(new URLSearchParams(query))).toBe(page))

test.each(['', 'page=', 'page=0', 'page=-1', 'page=1e3', 'page=two', 'page=10000', 'page=1.5', 'page=%202', 'page=02'])(
  'the page number is 1 for the query “%s”',
  (query) => expect(pageOf(new URLSearchParams(query))).toBe(1),
)

test('the address of an account percent-encodes its id, so that the id cannot lead to another path', () => {
  expect(userAddress('../audit-log?x')).toBe('/admin/users/..%2Faudit-log%3Fx')
})
