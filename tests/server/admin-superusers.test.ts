import { beforeEach, expect, test } from 'vitest'
import { runSuperuserCommand } from '../../server/services/admin/superuser-command'
import { appointAdministrators, changeSuperuser } from '../../server/services/admin/superusers'
import { newEmail } from './support/accounts'
import { auditOf, type Operator } from './support/admin'
import { withServer } from './support/for-file'

let boss: Operator
const server = withServer({ env: { ADMIN_EMAILS: 'chief@example.com' } })
beforeEach(async () => {
  await server.reset()
  boss = await server.operator()
})

const change = (action: 'appoint' | 'dismiss', email: string) =>
  changeSuperuser(server.database, server.env, action, email, server.clock())

test('an appointed superuser has admin access with the next request and, once dismissed, none; both are audited', async () => {
  const me = await server.user({ email: 'Ada@Example.com' })
  const reaches = async () => (await me.ask('GET', '/admin/users')).status
  expect(await reaches()).toBe(403)
  expect(await change('appoint', 'ada@example.com')).toBe('done')
  expect(await change('appoint', 'ada@example.com')).toBe('so-already')
  expect(await reaches()).toBe(200)
  expect((await me.ask<{ is_superuser: boolean }>('GET', '/users/me')).body.is_superuser).toBe(true)
  expect(await change('dismiss', 'ADA@EXAMPLE.COM')).toBe('done')
  expect(await change('dismiss', 'ada@example.com')).toBe('so-already')
  expect(await reaches()).toBe(403)
  expect(await auditOf(server, me.id)).toEqual(['appoint-superuser', 'dismiss-superuser'])
  const [entry] = (await boss.audit(`?target=${me.id}`)).body
  expect(entry).toMatchObject({ actor_email: null, target_email: 'Ada@Example.com', details: 'on the command line' })
})

test('an unverified account cannot be appointed superuser, nor an account named in ADMIN_EMAILS dismissed', async () => {
  const pending = newEmail()
  await server.register(pending)
  expect(await change('appoint', pending)).toBe('unverified')
  expect((await server.rowOf(pending)).is_superuser).toBe(false)
  await server.member('Chief@example.com')
  expect(await change('dismiss', 'chief@example.com')).toBe('configured')
  expect((await server.rowOf('chief@example.com')).is_superuser).toBe(true)
  for (const email of ['nobody@example.com', 'no address', '%', ''])
    expect(await change('appoint', email)).toBe('no-account')
  expect(await auditOf(server, (await server.rowOf(pending)).id)).toEqual([])
})

test('an appointment by ADMIN_EMAILS is audited once, whether a link or a password reset verified the address', async () => {
  const first = await server.rowOf(await server.member('chief@example.com'))
  expect(await auditOf(server, first.id)).toEqual(['appoint-superuser'])
  await server.session('chief@example.com')
  await appointAdministrators(server.database, server.env, server.clock())
  expect(await auditOf(server, first.id)).toEqual(['appoint-superuser'])
  const [entry] = (await boss.audit(`?target=${first.id}`)).body
  expect(entry).toMatchObject({
    actor_email: null,
    target_email: 'chief@example.com',
    details: 'named in ADMIN_EMAILS',
  })

  await server.reset()
  boss = await server.operator()
  await server.register('chief@example.com')
  const { id } = await server.rowOf('chief@example.com')
  expect(await auditOf(server, id)).toEqual([])
  await server.resetTo(await server.link('chief@example.com', 'reset-password'), 'another good password')
  expect(await auditOf(server, id)).toEqual(['appoint-superuser'])
})

test('servers that start at once with new ADMIN_EMAILS appoint each superuser once', async () => {
  const [one, two] = [await server.user(), await server.user()]
  const emails = [one, two].map(({ id }) => `${id}@example.com`)
  const start = () => appointAdministrators(server.database, { ADMIN_EMAILS: emails }, server.clock())
  await Promise.all([start(), start(), start()])
  for (const { id } of [one, two]) expect(await auditOf(server, id)).toEqual(['appoint-superuser'])
  expect((await one.ask('GET', '/admin/users')).status).toBe(200)
})

test('the superuser command appoints and dismisses by email address, and explains why a change is refused', async () => {
  for (const email of ['Ada@Example.com', 'chief@example.com']) await server.user({ email })
  const pending = newEmail()
  await server.register(pending)
  const run = async (action: 'appoint' | 'dismiss' | 'remove-passkeys', email: string) => {
    const command = { action, email }
    const { sentence, done } = await runSuperuserCommand(server.database, server.env, command, server.clock())
    return [done, sentence]
  }
  expect(await run('appoint', 'ada@example.com')).toEqual([true, 'ada@example.com is a superuser from now on.'])
  expect(await run('appoint', 'ada@example.com')).toEqual([true, 'ada@example.com is a superuser already.'])
  expect(await run('dismiss', 'ada@example.com')).toEqual([true, 'ada@example.com is no superuser from now on.'])
  expect(await run('remove-passkeys', 'ada@example.com')).toEqual([true, 'ada@example.com has no passkey.'])
  expect(await run('dismiss', 'chief@example.com')).toEqual([
    false,
    'chief@example.com stands in ADMIN_EMAILS, which would appoint it again: take it out there first.',
  ])
  expect(await run('appoint', pending)).toEqual([
    false,
    `The address ${pending} has not been verified: its owner has to open the link in the mail first.`,
  ])
  for (const action of ['appoint', 'remove-passkeys'] as const) {
    expect(await run(action, 'bob@example.com')).toEqual([false, 'There is no account of bob@example.com.'])
  }
})
