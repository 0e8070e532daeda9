import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Device } from '../../src/contract/device'
import { changeSuperuser, removePasskeys } from '../../server/services/admin/superusers'
import { bearer, newEmail, PASSWORD } from './support/accounts'
import type { Operator } from './support/admin'
import { addPasskey, passkeySession } from './support/passkeys'
import type { Method } from './support/person'

import { separateDatabase } from './support/test-database'
import { forFile, withServer } from './support/for-file'

/*
 * Triggers note of each transaction whose rows it changed that a client shows, and whose revisions it raised. So a service
 * that forgets to raise one is found, whatever it is written with.
 */

const env = { ENABLE_TESTING_ROUTES: 'true', FREE_MAX_WIDGETS: '2', PREMIUM_MAX_CHECKPOINTS: '9' }
const database = forFile(separateDatabase, (one) => one.close())
const server = withServer({ database, env })
let boss: Operator
beforeAll(async () => {
  boss = await server.operator()
  await noteChanges()
})
beforeEach(() => database.pool.query('TRUNCATE noted'))

/** Columns of an account that GET /users/me shows, and the password, which ends sessions. */
const SHOWN = [
  'email',
  'has_premium_access',
  'is_superuser',
  'is_active',
  'password_hash',
  'google_subject',
  'accepted_terms_version',
  'accepted_privacy_version',
  'deletion_scheduled_at',
  'email_verified_at',
]

const NOTED: readonly { table: string; events: string; owner: string; part: string }[] = [
  { table: 'widgets', events: 'INSERT OR UPDATE OR DELETE', owner: 'owner_id', part: 'widgets' },
  { table: 'checkpoints', events: 'INSERT OR UPDATE OR DELETE', owner: 'owner_id', part: 'widgets' },
  { table: 'users', events: `UPDATE OF ${SHOWN.join(', ')}`, owner: 'id', part: 'account' },
  { table: 'sessions', events: 'INSERT OR DELETE', owner: 'user_id', part: 'account' },
  { table: 'passkeys', events: 'INSERT OR DELETE', owner: 'user_id', part: 'account' },
  { table: 'recovery_codes', events: 'INSERT', owner: 'user_id', part: 'account' },
]

async function noteChanges(): Promise<void> {
  const { pool } = database
  await pool.query('CREATE TABLE noted (tx xid8, owner uuid, part text, raised boolean)')
  await pool.query(`
    CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF to_jsonb(NEW) IS DISTINCT FROM to_jsonb(OLD) THEN
        INSERT INTO noted VALUES (pg_current_xact_id(),
          (COALESCE(to_jsonb(NEW), to_jsonb(OLD)) ->> TG_ARGV[0])::uuid, TG_ARGV[1], false);
      END IF;
      RETURN NULL;
    END $$`)
  for (const { table, events, owner, part } of NOTED) {
    await pool.query(`CREATE TRIGGER note_change AFTER ${events} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION note_change('${owner}', '${part}')`)
  }
  await pool.query(`
    CREATE FUNCTION note_raise() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.widgets > OLD.widgets THEN
        INSERT INTO noted VALUES (pg_current_xact_id(), NEW.owner_id, 'widgets', true);
      END IF;
      IF NEW.account > OLD.account THEN
        INSERT INTO noted VALUES (pg_current_xact_id(), NEW.owner_id, 'account', true);
      END IF;
      RETURN NULL;
    END $$`)
  await pool.query(
    `CREATE TRIGGER note_raise AFTER UPDATE ON owner_revisions FOR EACH ROW EXECUTE FUNCTION note_raise()`,
  )
}

/** Changes since the last look whose transaction did not raise their revision, and how many did. */
async function look(): Promise<{ readonly raised: readonly string[]; readonly forgotten: readonly unknown[] }> {
  const { rows: forgotten } = await database.pool.query(`
    SELECT DISTINCT changed.owner, changed.part FROM noted AS changed JOIN owners ON owners.id = changed.owner
    WHERE NOT changed.raised AND NOT EXISTS (SELECT FROM noted AS raise
      WHERE raise.raised AND (raise.tx, raise.owner, raise.part) = (changed.tx, changed.owner, changed.part))`)
  const { rows } = await database.pool.query<{ part: string }>('SELECT part FROM noted WHERE raised ORDER BY tx, part')
  await database.pool.query('TRUNCATE noted')
  return { raised: rows.map(({ part }) => part), forgotten }
}

/** Runs a step, and expects that it raised these revisions and forgot none. */
async function expectRaised<T>(parts: readonly string[], step: () => Promise<T>): Promise<T> {
  const value = await step()
  expect(await look()).toEqual({ raised: parts, forgotten: [] })
  return value
}

test('a transaction that changes a widget and raises no revision is seen by the triggers of this file', async () => {
  const me = server.guest()
  await me.add('bitcoin', 'ethereum')
  await look()
  await database.pool.query('UPDATE widgets SET high_threshold = 3')
  expect((await look()).forgotten).toHaveLength(1)
})

test('every change of a guest’s widgets and checkpoints raises the revision of the widgets in its transaction', async () => {
  const me = server.guest()
  const one = await expectRaised(['widgets'], () => me.add('bitcoin', 'ethereum'))
  const two = await expectRaised(['widgets'], () => me.add('bitcoin', 'solana'))
  await expectRaised(['widgets'], () => me.update(one.id, { high_threshold: 9 }))
  await expectRaised(['widgets'], () => me.reorder([two.id, one.id]))
  await expectRaised(['widgets'], () => me.saveCheckpoint(one.id, 1))
  await expectRaised(['widgets'], () => me.saveCheckpoint(one.id, 2))
  await expectRaised(['widgets'], () => me.deleteCheckpoint(one.id))
  await expectRaised(['widgets'], () => me.remove(two.id))
  await expectRaised(['widgets'], () => me.ask('POST', '/testing/reset-user-state', {}))
})

test('every change of a user’s checkpoints and tier raises the revisions in its transaction', async () => {
  const me = await server.user()
  const widget = (await me.add('bitcoin', 'ethereum')).id
  await look()
  await expectRaised(['account', 'widgets'], () => boss.grant(me.id))
  const a = (await expectRaised(['widgets'], () => me.save(widget, 1))).body.id
  const b = (await expectRaised(['widgets'], () => me.save(widget, 2))).body.id
  await expectRaised(['widgets'], () => me.change(widget, a, 3))
  await expectRaised(['widgets'], () => me.arrange(widget, [b, a]))
  await expectRaised(['widgets'], () => me.prefer(widget, a))
  await expectRaised(['widgets'], () => me.drop(widget, a))
  await expectRaised(['widgets'], () => me.dropMany(widget, [b]))
  await expectRaised(['account', 'widgets'], () => boss.revoke(me.id))
})

test('every change of an account, its sessions and its passkeys raises the revision of the account in its transaction', async () => {
  const email = newEmail()
  await expectRaised([], () => server.register(email))
  const token = await server.link(email, 'verify-email')
  await expectRaised(['account'], () => server.verify(token))
  const desk = await expectRaised(['account'], () => server.session(email))
  const phone = await expectRaised(['account'], () => server.session(email))
  const ask = (method: Method, path: string, body?: object) => server.ask(method, path, body, bearer(desk.access_token))
  const accept = () => ask('POST', '/users/me/accept-policies', { terms_accepted: true, privacy_accepted: true })
  await expectRaised([], () => server.refresh(phone.refresh_token))
  await expectRaised(['account'], () => server.logOut(phone.refresh_token))
  await expectRaised(['account'], () => accept())
  await expectRaised([], () => accept())

  const tablet = (await server.session(email)).access_token
  await look()
  const listed = await server.ask<readonly Device[]>('GET', '/users/me/sessions', undefined, bearer(tablet))
  const ofTablet = listed.body.find((one) => one.is_current)?.id
  await expectRaised(['account'], () => ask('DELETE', `/users/me/sessions/${ofTablet}`))
  await expectRaised([], () => ask('DELETE', `/users/me/sessions/${ofTablet}`))
  await server.session(email)
  await look()
  await expectRaised(['account'], () => ask('DELETE', '/users/me/sessions'))

  const next = await server.session(email)
  await look()
  const { key } = await expectRaised(['account'], () => addPasskey(server, next))
  await expectRaised(['account'], () => passkeySession(server, email, key))
  await expectRaised(['account'], () => removePasskeys(database, email, server.clock()))
  await expectRaised(['account'], () => changeSuperuser(database, server.env, 'appoint', email, server.clock()))
  await expectRaised([], () => changeSuperuser(database, server.env, 'appoint', email, server.clock()))
  const password = { current_password: PASSWORD, new_password: `${PASSWORD} again` }
  await expectRaised(['account'], () =>
    server.ask('POST', '/users/me/change-password', password, bearer(next.access_token)),
  )
  const reset = await server.link(email, 'reset-password')
  await expectRaised(['account'], () => server.resetTo(reset, PASSWORD))
  const last = await server.session(email)
  await look()
  await expectRaised(['account'], () =>
    server.ask('DELETE', '/users/me', { password: PASSWORD }, bearer(last.access_token)),
  )
})

test('feedback and a mail that is asked for raise no revision', async () => {
  const me = await server.user()
  const email = await server.member()
  await look()
  expect((await expectRaised([], () => me.ask('POST', '/feedback', { message: 'All is well.' }))).status).toBeLessThan(
    300,
  )
  const asked = await expectRaised([], () => server.post('/users/request-password-reset', { email }))
  expect(asked.status).toBeLessThan(300)
})
