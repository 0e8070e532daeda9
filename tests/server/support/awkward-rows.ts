import type { Pool } from 'pg'
import type { Database } from '../../../server/db/open'
import { newUser } from './new-user'

/** Fills tables with values that a careless copy changes: extreme numbers, odd characters, arrays, nulls, identities. */
export async function insertAwkwardRows(database: Database): Promise<void> {
  const { id } = await newUser(database, Date.UTC(2026, 2, 29, 1, 30), {
    email: 'ada@example.com',
    password: 'trains and basements',
  })
  const statements = [
    `INSERT INTO pairs (coin_a_id, coin_b_id) SELECT 'a-' || n, 'b-' || n FROM generate_series(1, 3000) n`,
    `DELETE FROM pairs WHERE id % 7 = 0`,
    `INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, high_threshold, low_threshold, notifications_enabled, is_active, created_at)
     SELECT '${id}', id, coin_a_id, coin_b_id, id, 1.7976931348623157e308, 5e-324, true, true, now() FROM pairs WHERE id < 4`,
    `INSERT INTO checkpoints (widget_id, owner_id, ratio, timestamp, is_default, display_order, created_at)
     SELECT id, owner_id, 0.1 + 0.2, '2026-03-29 01:59:59.999+00', true, 0, now() FROM widgets`,
    `INSERT INTO alert_rules (id, widget_id, owner_id, pair_id, kind, level, margin, hold_minutes, armed, epoch, due_at, watched, measure,
       above, below, anchor, ended, rule_window, repeat, expires_at, loudness, note, created_by_op, created_at)
     SELECT gen_random_uuid(), id, owner_id, pair_id, 'trailing_fall', 0.1 + 0.2, 5e-324, 1440, false, 7, now(), true, '-ratio',
       '-Infinity', 'Infinity', -1.7976931348623157e308, false, NULL, 'once', now(), 'log', E'\\ 東京 🙂', gen_random_uuid(), now() FROM widgets`,
    `INSERT INTO rule_bounds (pair_id, measure, above, below) SELECT pair_id, '-ratio', '-Infinity', NULL FROM widgets`,
    `INSERT INTO alert_settings (owner_id, extremes, quiet_hours) VALUES ('${id}', true, '{"from": "22:00", "days": [7, 1]}')`,
    `INSERT INTO alert_channels (owner_id, kind, state, name, url, preset, bearer, secret, created_at, free_at)
     VALUES ('${id}', 'webhook', 'on', 'example.com', 'https://example.com/ä?"', 'ntfy', '!~', 'whsec_/+=', now(), '-infinity')`,
    `INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, kind, epoch, ratio, threshold,
       measure, rule_id, level, rule_window, loudness, note, crossed_at)
     SELECT owner_id, widget_id, 'a', 'b', '', '', 'low', kind, epoch, 5e-324, 1e308, -0.0, id, level, '7d', loudness, note, now() FROM alert_rules
     WHERE measure IS NOT NULL`,
    `INSERT INTO channel_deliveries (event_id, channel_id, outcome, next_attempt_at, ended_at, batch)
     SELECT e.id, c.id, 'sent', now(), now(), gen_random_uuid() FROM alert_events e, alert_channels c`,
    `INSERT INTO attempts (key, at, forget_at) VALUES ('none', '{}', 9007199254740991), ('two', '{1,-2}', 0)`,
    `INSERT INTO feedback (user_id, message, created_at) VALUES
     ('${id}', E'tab\\t quote\\" backslash\\\\ line\\r\\n separator\\u2028 \\u0001 {"json": 1} 東京 🙂', now())`,
    `INSERT INTO market_coins (source, id, symbol, name, image, listed_at) SELECT 'simulated', 'c' || n, 's', '', NULL, n FROM generate_series(1, 5) n`,
    `INSERT INTO market_points (coin_key, level, bucket, usd, samples)
     SELECT key, 0, n, n / 3.0::float8, 1 FROM market_coins, generate_series(1, 2000) n`,
  ]
  for (const statement of statements) await database.pool.query(statement)
}

/** Every row of every table, as PostgreSQL writes it, in an order of its own: equal databases give equal texts. */
export async function allRows(pool: Pool): Promise<Record<string, string[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  const all: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT t::text AS text FROM "${name}" t ORDER BY t::text COLLATE "C"`,
    )
    all[name] = rows.map(({ text }) => text)
  }
  return all
}
