/** @module-tag both-engines */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../server/db/open'
import type { ProgramFiles } from '../../server/program-files'
import { filesWithMadeDatabase } from './support/prepared-folder'
import { emptyDatabase, emptyFolder, type TestStorage } from './support/test-storage'

interface Journal {
  readonly entries: readonly { readonly tag: string }[]
}

const server = process.env['TEST_DATABASE_URL'] ?? ''
let storage: TestStorage
let old: string
let files: ProgramFiles
beforeAll(async () => {
  files = await filesWithMadeDatabase()
  storage = server === '' ? emptyFolder() : await emptyDatabase(server)
  old = mkdtempSync(join(tmpdir(), 'ratio-migrations-'))
})
afterAll(async () => {
  await storage.remove()
  rmSync(old, { recursive: true, force: true })
})

/** The migrations of a release that had only the first so many. */
function firstMigrations(count: number): string {
  const journal = JSON.parse(readFileSync(join(files.migrations, 'meta/_journal.json'), 'utf8')) as Journal
  const entries = journal.entries.slice(0, count)
  mkdirSync(join(old, 'meta'), { recursive: true })
  for (const { tag } of entries) cpSync(join(files.migrations, `${tag}.sql`), join(old, `${tag}.sql`))
  writeFileSync(join(old, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  return old
}

const open = (migrations: string) => {
  const { DATA_DIR = '', DATABASE_URL } = storage.variables
  return openDatabase({ DATA_DIR, DATABASE_URL }, { ...files, migrations }, { durable: false })
}

test('a first release database keeps its widgets when migrated and can hold accounts; the old release refuses to open it', async () => {
  const before = await open(firstMigrations(1))
  await before.pool
    .query(`WITH mine AS (INSERT INTO owners (kind, anonymous_hash, created_at) VALUES ('guest', 'hash', now()) RETURNING id)
    INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, notifications_enabled, is_active, created_at)
    SELECT id, place, coin_a, coin_b, false, true, now() FROM mine, (VALUES (0, 'bitcoin', 'ethereum'), (1, 'ethereum', 'bitcoin')) AS given (place, coin_a, coin_b)`)
  await before.close()

  const moved = await open(firstMigrations(42))
  // The browser of a delivery was another owner's by then: its key now has the owner.
  await moved.pool.query(`
    WITH two AS (INSERT INTO owners (kind, anonymous_hash, created_at) VALUES ('guest', 'a', now()), ('guest', 'b', now()) RETURNING id),
    browsers AS (INSERT INTO push_subscriptions (owner_id, endpoint, p256dh, auth, subscribed_at, free_at)
      SELECT id, id, '', '', now(), now() FROM two RETURNING id),
    event AS (INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio,
        threshold, crossed_at, delivery)
      SELECT id, id, 'a', 'b', 'A', 'B', 'high', 0, 1, 1, now(), 'fanned-out' FROM two LIMIT 1 RETURNING id)
    INSERT INTO push_deliveries (event_id, subscription_id, next_attempt_at)
    SELECT event.id, browsers.id, now() FROM event, browsers`)
  await moved.close()

  const after = await open(files.migrations)
  const { rows: deliveries } = await after.pool.query(
    `SELECT d.owner_id = s.owner_id AS own FROM push_deliveries d JOIN push_subscriptions s ON s.id = d.subscription_id`,
  )
  expect(deliveries).toEqual([{ own: true }])
  const kept = await after.pool.query(
    `SELECT w.coin_a_id, w.coin_b_id, p.coin_a_id = w.coin_a_id AND p.coin_b_id = w.coin_b_id AS numbered, anonymous_hash,
       last_seen > current_date - 2 AS seen
     FROM widgets w JOIN owners ON owners.id = owner_id JOIN pairs p ON p.id = pair_id ORDER BY display_order`,
  )
  expect(kept.rows).toEqual([
    { coin_a_id: 'bitcoin', coin_b_id: 'ethereum', numbered: true, anonymous_hash: 'hash', seen: true },
    { coin_a_id: 'ethereum', coin_b_id: 'bitcoin', numbered: true, anonymous_hash: 'hash', seen: true },
  ])
  const account = (email: string) =>
    after.pool.query(
      `WITH mine AS (INSERT INTO owners (kind, created_at) VALUES ('user', now()) RETURNING id)
       INSERT INTO users (id, email) SELECT id, $1 FROM mine RETURNING has_premium_access, is_superuser`,
      [email],
    )
  expect((await account('Ann@example.com')).rows).toEqual([{ has_premium_access: false, is_superuser: false }])
  await expect(account('ann@EXAMPLE.com')).rejects.toThrow('users_email')
  await after.close()

  await expect(open(firstMigrations(1))).rejects.toThrow('made by another version')
})
