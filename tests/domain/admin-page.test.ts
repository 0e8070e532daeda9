import { expect, test } from 'vitest'
import { ADMIN_PAGE_SIZE, pageCount } from '../../src/domain/account'

test('a page of an admin list has twenty rows', () => expect(ADMIN_PAGE_SIZE).toBe(20))

test.each([
  [0, 1],
  [1, 1],
  [20, 1],
  [21, 2],
  [40, 2],
  [41, 3],
])('an admin list of %i rows has %i pages', (total, pages) => expect(pageCount(total)).toBe(pages))
