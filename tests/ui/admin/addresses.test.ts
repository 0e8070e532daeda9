import { describe, expect, test } from 'vitest'
import { AUDIT_LOG, listAddress, pageOf, userAddress, USERS } from '../../../src/features/admin/addresses'

describe('the address of a page of a list', () => {
  test.each([
    [{}, '/admin/users'],
    [{ search: '', page: 1 }, '/admin/users'],
    [{ search: 'a+b@x.org', page: 3 }, '/admin/users?search=a%2Bb%40x.org&page=3'],
    [{ page: 2 }, '/admin/users?page=2'],
  ])('%j', (place, address) => expect(listAddress(USERS, place)).toBe(address))

  test('of one account', () => {
    expect(listAddress(AUDIT_LOG, { user: 'u-1', page: 2 })).toBe('/admin/audit-log?user=u-1&page=2')
    expect(listAddress(AUDIT_LOG, { user: null })).toBe('/admin/audit-log')
  })
})

describe('the page that an address names', () => {
  test.each([
    ['page=2', 2],
    ['search=x&page=9999', 9999],
  ])('%s', (query, page) => expect(pageOf(new URLSearchParams(query))).toBe(page))

  test.each([
    '',
    'page=',
    'page=0',
    'page=-1',
    'page=1e3',
    'page=two',
    'page=10000',
    'page=1.5',
    'page=%202',
    'page=02',
  ])('is the first where “%s” names none', (query) => expect(pageOf(new URLSearchParams(query))).toBe(1))
})

test('an id cannot leave its place in an address', () => {
  expect(userAddress('../audit-log?x')).toBe('/admin/users/..%2Faudit-log%3Fx')
})
