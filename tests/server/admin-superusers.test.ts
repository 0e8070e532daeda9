import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { appointAdministrators } from '../../server/services/accounts/administrators'
import { changeSuperuser } from '../../server/services/admin/superusers'
import { link, member, newEmail, register, resetTo, rowOf, session } from './support/accounts'
import { deedsTo, operator, type Operator } from './support/admin'
import { testApp, type TestApp } from './support/test-app'
import { user } from './support/user'

let it: TestApp
let boss: Operator
beforeAll(async () => {
  it = await testApp({ env: { ADMIN_EMAILS: 'chief@example.com' } })
})
afterAll(() => it.close())
beforeEach(async () => {
  await it.reset()
  boss = await operator(it)
})

const change = (action: 'appoint' | 'dismiss', email: string) => changeSuperuser(it.database, it.env, action, email, it.clock()) // prettier-ignore

test('who is appointed reaches everything with the next request, and who is dismissed nothing', async () => {
  const me = await user(it, { email: 'Ada@Example.com' })
  const reaches = async () => (await me.ask('GET', '/admin/users')).status
  expect(await reaches()).toBe(403)
  expect(await change('appoint', 'ada@example.com')).toBe('done')
  expect(await change('appoint', 'ada@example.com')).toBe('so-already')
  expect(await reaches()).toBe(200)
  expect((await me.ask<{ is_superuser: boolean }>('GET', '/users/me')).body.is_superuser).toBe(true)
  expect(await change('dismiss', 'ADA@EXAMPLE.COM')).toBe('done')
  expect(await change('dismiss', 'ada@example.com')).toBe('so-already')
  expect(await reaches()).toBe(403)
  expect(await deedsTo(it, me.id)).toEqual(['appoint-superuser', 'dismiss-superuser'])
  const [entry] = (await boss.audit(`?target=${me.id}`)).body
  expect(entry).toMatchObject({ actor_email: null, target_email: 'Ada@Example.com', details: 'on the command line' })
})

test('nobody is appointed who has not shown that the address is theirs, nor dismissed who is named in ADMIN_EMAILS', async () => {
  const pending = newEmail()
  await register(it, pending)
  expect(await change('appoint', pending)).toBe('unverified')
  expect((await rowOf(it, pending)).is_superuser).toBe(false)
  await member(it, 'Chief@example.com')
  expect(await change('dismiss', 'chief@example.com')).toBe('configured')
  expect((await rowOf(it, 'chief@example.com')).is_superuser).toBe(true)
  for (const email of ['nobody@example.com', 'no address', '%', ''])
    expect(await change('appoint', email)).toBe('no-account')
  expect(await deedsTo(it, (await rowOf(it, pending)).id)).toEqual([])
})

test('ADMIN_EMAILS stand in the audit log as often as they appoint, however an address is verified', async () => {
  const first = await rowOf(it, await member(it, 'chief@example.com'))
  expect(await deedsTo(it, first.id)).toEqual(['appoint-superuser'])
  await session(it, 'chief@example.com')
  await appointAdministrators(it.database, it.env, it.clock())
  expect(await deedsTo(it, first.id)).toEqual(['appoint-superuser'])
  const [entry] = (await boss.audit(`?target=${first.id}`)).body
  expect(entry).toMatchObject({
    actor_email: null,
    target_email: 'chief@example.com',
    details: 'named in ADMIN_EMAILS',
  })

  await it.reset()
  boss = await operator(it)
  await register(it, 'chief@example.com')
  const { id } = await rowOf(it, 'chief@example.com')
  expect(await deedsTo(it, id)).toEqual([])
  await resetTo(it, await link(it, 'chief@example.com', 'reset-password'), 'another good password')
  expect(await deedsTo(it, id)).toEqual(['appoint-superuser'])
})

test('servers that start at once with a new name in ADMIN_EMAILS appoint it once', async () => {
  const [one, two] = [await user(it), await user(it)]
  const emails = [one, two].map(({ id }) => `${id}@example.com`)
  const start = () => appointAdministrators(it.database, { ADMIN_EMAILS: emails }, it.clock())
  await Promise.all([start(), start(), start()])
  for (const { id } of [one, two]) expect(await deedsTo(it, id)).toEqual(['appoint-superuser'])
  expect((await one.ask('GET', '/admin/users')).status).toBe(200)
})
