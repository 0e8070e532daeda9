import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { key, SAVED_AT } from './support/person'
import { recordCrossing } from './support/crossings'
import { forFile, withServer } from './support/for-file'
import { sentDuring } from './support/sent-statements'
import { subscription } from './support/subscription'
import { separateDatabase } from './support/test-database'

/*
 * The page on scaling says by which statements Citus would spread the tables. They are run here, on a database with stand-ins
 * for Citus' functions. The catalogue then tells whether the tables are as Citus wants them.
 */

const page = readFileSync(new URL('../../docs/running/scaling.md', import.meta.url), 'utf8')
const statements = /```sql\n([\s\S]*?)```/.exec(page)?.[1] ?? ''

/** A table keeps its place; one that is spread refuses another value in the column that it is spread by, as Citus does. */
const STAND_INS = `
  CREATE SCHEMA stand_in;
  CREATE TABLE stand_in.placed (name regclass PRIMARY KEY, kind text, spread_by text);
  CREATE FUNCTION citus_add_local_table_to_metadata(name regclass) RETURNS void LANGUAGE sql AS
    $$ INSERT INTO stand_in.placed VALUES (name, 'local') $$;
  CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE sql AS
    $$ INSERT INTO stand_in.placed VALUES (name, 'reference') $$;
  CREATE FUNCTION stand_in.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'modifying the partition value of rows is not allowed'; END $$;
  CREATE FUNCTION create_distributed_table(name regclass, spread_by text, colocate_with text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO stand_in.placed VALUES (name, 'distributed', spread_by);
    EXECUTE format('CREATE TRIGGER stand_in BEFORE UPDATE ON %s FOR EACH ROW WHEN (OLD.%2$I IS DISTINCT FROM NEW.%2$I) EXECUTE FUNCTION stand_in.refuse()', name, spread_by);
  END $$;`

const database = forFile(separateDatabase, (one) => one.close())
const server = withServer({ database })
beforeAll(async () => {
  await database.pool.query(STAND_INS)
  await database.pool.query(statements)
})

/** The first column of the rows. */
async function found(query: string): Promise<unknown[]> {
  const { rows } = await database.pool.query<[unknown]>({ text: query, rowMode: 'array' })
  return rows.map(([value]) => value)
}

test('each table has a place on the page on scaling, and each trigger of a spread one is named there', async () => {
  expect(
    await found(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND oid NOT IN (SELECT name FROM stand_in.placed)`),
  ).toEqual([])
  const functions = await found(`SELECT DISTINCT proname FROM pg_trigger JOIN pg_proc f ON f.oid = tgfoid
    JOIN stand_in.placed ON name = tgrelid WHERE NOT tgisinternal AND kind = 'distributed' AND pronamespace = 'public'::regnamespace`)
  expect(functions.filter((name) => !statements.includes(String(name)))).toEqual([])
})

test('each key of a spread table has the column that it is spread by, which is never empty', async () => {
  expect(
    await found(`SELECT indexrelid::regclass::text FROM pg_index JOIN stand_in.placed ON name = indrelid
      JOIN pg_attribute ON attrelid = name AND attname = spread_by
      WHERE (indisunique OR indisexclusion) AND NOT attnum = ANY ((indkey::int2[])[0:indnkeyatts - 1])`),
  ).toEqual([])
  expect(
    await found(`SELECT name::text FROM stand_in.placed JOIN pg_attribute ON attrelid = name AND attname = spread_by
      WHERE NOT attnotnull`),
  ).toEqual([])
})

test('each foreign key stays within one database: to a reference table, or between rows of the same owner', async () => {
  expect(
    await found(`SELECT conname FROM pg_constraint k
      JOIN stand_in.placed f ON f.name = conrelid JOIN stand_in.placed t ON t.name = confrelid
      LEFT JOIN pg_attribute fa ON fa.attrelid = conrelid AND fa.attname = f.spread_by
      LEFT JOIN pg_attribute ta ON ta.attrelid = confrelid AND ta.attname = t.spread_by
      WHERE contype = 'f' AND NOT CASE
        WHEN f.kind = 'distributed' AND t.kind = 'distributed' THEN confdeltype IN ('a', 'r', 'c') AND confupdtype IN ('a', 'r')
          AND EXISTS (SELECT FROM unnest(conkey, confkey) AS pair (mine, theirs) WHERE mine = fa.attnum AND theirs = ta.attnum)
        WHEN f.kind = 'distributed' THEN t.kind = 'reference'
        ELSE t.kind <> 'distributed' END`),
  ).toEqual([])
})

/** Spread tables that the statement names without the owner of their rows. */
function withoutOwner(text: string, spread: readonly unknown[]): string[] {
  const named = [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+"?(\w+)"?(?:\s+(?:AS\s+)?"?(\w+)"?)?/gi)].filter(
    ([, table]) => table !== 'owners' && spread.includes(table),
  )
  const isAlone = new Set(named.map(([, table]) => table)).size === 1
  return named
    .filter(([, table = '', alias = table]) => {
      const owner = isAlone ? /\bowner_id\b/ : new RegExp(`\\b(?:${table}|${alias})"?\\."?owner_id\\b`, 'i')
      return !owner.test(text)
    })
    .map(([, table]) => `${table}: ${text}`)
}

test('a guest’s changes and reads go through on spread tables, and each statement names the owner of what it touches', async () => {
  const spread = await found(`SELECT name::text FROM stand_in.placed WHERE kind = 'distributed'`)
  const me = server.guest()
  const { statements: sent } = await sentDuring(database.pool, async () => {
    const [one, two] = [await me.add('bitcoin', 'ethereum'), await me.add('ethereum', 'bitcoin')]
    const statuses = [
      await me.update(one.id, { high_threshold: 21, notifications_enabled: true }),
      await me.update(one.id, { high_threshold: null, snoozed_until: SAVED_AT }),
      await me.saveCheckpoint(one.id, 20),
      await me.saveCheckpoint(one.id, 21),
      await me.ask('POST', `/widgets/${one.id}/rules`, { kind: 'move', level: 5, window: '1h' }, key(undefined)),
      await me.ask('POST', '/push/subscribe', subscription('https://fcm.googleapis.com/fcm/send/a'), key(undefined)),
      await me.reorder([two.id, one.id]),
      await me.ask('GET', '/alerts'),
      await me.deleteCheckpoint(one.id),
      await me.remove(two.id),
    ].map(({ status }) => status)
    expect(
      statuses.every((status) => status < 300),
      String(statuses),
    ).toBe(true)
    expect((await me.list()).map(({ id }) => id)).toEqual([one.id])
  })
  expect(sent.flatMap(({ text }) => withoutOwner(text, spread))).toEqual([])
})

test('a browser goes from owner to owner on spread tables, without the deliveries of the former', async () => {
  const [mine, other] = [server.guest(), server.guest()]
  const { id } = await mine.add('bitcoin', 'ethereum')
  const browser = subscription('https://fcm.googleapis.com/fcm/send/b')
  const subscribe = (owner: typeof mine) =>
    owner.ask<{ id: string }>('POST', '/push/subscribe', browser, key(undefined))
  const { body } = await subscribe(mine)
  const { id: event, owner_id: owner } = await recordCrossing(database, id, server.clock())
  await database.pool.query(
    'INSERT INTO push_deliveries (owner_id, event_id, subscription_id, next_attempt_at) VALUES ($1, $2, $3, now())',
    [owner, event, body.id],
  )
  expect((await subscribe(other)).body).toEqual(body)
  expect(await found("SELECT count(*)::int FROM push_subscriptions WHERE endpoint LIKE '%/b'")).toEqual([1])
  expect(await found('SELECT id FROM push_deliveries')).toEqual([])
})
