import { expect, test } from 'vitest'
import type { Policies } from '../../src/contract/settings'
import type { User } from '../../src/contract/session'
import { LocalDatabase, writeMeta } from '../../src/db/database'
import { readAccountView } from '../../src/db/identity'
import { NOW } from './support/entries'
import { guestContext, userContext } from './support/people'

const POLICIES: Policies = {
  terms: { version: '2', path: '/terms' },
  privacy: { version: '7', path: '/privacy' },
}
const ACCEPTED: Partial<User> = {
  accepted_terms_version: '2',
  accepted_terms_at: '2026-01-01T00:00:00.000Z',
  accepted_privacy_version: '7',
  accepted_privacy_at: '2026-01-01T00:00:00.000Z',
}

const accepting = async (change: Partial<User>, policies: Policies | null = POLICIES): Promise<boolean> => {
  const { db } = await userContext(false)
  const session = (await db.session.get('current'))!
  await db.session.put({ ...session, user: { ...session.user!, ...ACCEPTED, ...change } })
  if (policies !== null) await writeMeta(db, 'policies', { policies, fetched_at: NOW })
  return (await readAccountView(db))!.mustAccept
}

test.each<[string, Partial<User>]>([
  ['terms', { accepted_terms_at: null, accepted_terms_version: null }],
  ['privacy policy', { accepted_privacy_at: null, accepted_privacy_version: null }],
  ['present terms', { accepted_terms_version: '1' }],
  ['present privacy policy', { accepted_privacy_version: '6' }],
])('a user who has not accepted the %s must accept the policies', async (_, change) => {
  expect(await accepting(change)).toBe(true)
})

test('a user who has accepted the policies need not accept again before newer versions are known', async () => {
  expect(await accepting({})).toBe(false)
  expect(await accepting({ accepted_terms_version: '1' }, null)).toBe(false)
  expect(await accepting({ accepted_terms_at: null }, null)).toBe(true)
})

test('a guest need not accept the policies', async () => {
  const { db } = await guestContext()
  await writeMeta(db, 'policies', { policies: POLICIES, fetched_at: NOW })
  expect(await readAccountView(db)).toMatchObject({ account: 'guest', mustAccept: false, policies: POLICIES })
})

test('the account view is undefined before the browser has an identity', async () => {
  expect(await readAccountView(new LocalDatabase('no identity yet'))).toBeUndefined()
})

test('a user’s session has expired when its tokens are gone or sending is paused until the next login', async () => {
  const { db } = await userContext(true)
  const session = (await db.session.get('current'))!
  const view = async () => (await readAccountView(db))!
  expect(await view()).toMatchObject({ account: 'premium', expired: false })
  await db.owners.put({ owner: session.owner, applied_rev: 3, pulled_at: null, paused: true, needs_pull: false })
  expect(await view()).toMatchObject({ account: 'premium', expired: true })
  await db.owners.clear()
  await db.session.put({ ...session, tokens: null })
  expect(await view()).toMatchObject({ account: 'premium', user: session.user, expired: true })
})

test('a guest’s session does not expire while sending is paused', async () => {
  const { db } = await guestContext()
  const { owner } = (await readAccountView(db))!
  await db.owners.put({ owner, applied_rev: 3, pulled_at: null, paused: true, needs_pull: false })
  expect(await readAccountView(db)).toMatchObject({ expired: false })
})
