import {
  bigint,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { COIN_KINDS } from '../../../src/domain/daily-matrix'
import { finiteOrZero } from './columns'

/** Milliseconds since 1970: series are reckoned in buckets of them. */
const millis = (column?: string) =>
  column === undefined ? bigint({ mode: 'number' }) : bigint(column, { mode: 'number' })

/** Every coin that a source has ever listed. Sources stand apart: nothing below joins two of them. */
export const market_coins = pgTable(
  'market_coins',
  {
    /** Stands for (source, id) in the tables below, whose rows are many. */
    key: integer().primaryKey().generatedAlwaysAsIdentity(),
    source: text({ enum: ['coingecko', 'simulated'] }).notNull(),
    id: text().notNull(),
    symbol: text().notNull(),
    name: text().notNull(),
    image: text(),
    /** Null once the source no longer lists it; what is known of it stays. */
    market_cap_rank: integer(),
    /** When the list that it last stood in was fetched. */
    listed_at: millis().notNull(),
    /** When a client last asked for its price; coins asked for of late are polled. */
    asked_at: millis(),
    /** When the provider was last asked for closes of the past year; null: never. */
    closes_asked_at: millis(),
    /** Counts the writes of closes of days that had ended. */
    closes_version: integer().notNull().default(0),
    /** Money that it stands for by the provider's categories, and when they were asked; null: none, or not asked yet. */
    kind: text({ enum: COIN_KINDS }),
    kind_at: millis(),
  },
  (table) => [
    unique('market_coins_source_id').on(table.source, table.id),
    index('market_coins_asked').on(table.source, table.asked_at),
  ],
)

/** The latest price of each coin. */
export const market_prices = pgTable(
  'market_prices',
  {
    coin_key: integer()
      .primaryKey()
      .references(() => market_coins.key, { onDelete: 'cascade' }),
    usd: doublePrecision().notNull(),
    // The columns keep their first names: server processes of the version before go on writing them (decision 0129).
    /** When the provider says the price was true. */
    provider_time: millis('at').notNull(),
    /** When this server last had the price from the provider. */
    fetched_at: millis('seen_at').notNull(),
    /** The exchange whose ticker gave the price; null: the provider did. */
    via: text(),
  },
  (table) => [check('market_prices_usd', finiteOrZero(table.usd))],
)

/**
 * History: one row a bucket. Narrow, since a coin has some five thousand of them (864 five-minute, 1,920 thirty-minute,
 * 2,880 hourly and 1,095 daily ones at most).
 */
export const market_points = pgTable(
  'market_points',
  {
    coin_key: integer()
      .notNull()
      .references(() => market_coins.key, { onDelete: 'cascade' }),
    /** Index into GRANULARITIES: 0 five-minute to 3 daily. */
    level: smallint().notNull(),
    /** Start of the bucket in units of five minutes since 1970, at every level. */
    bucket: integer().notNull(),
    usd: doublePrecision().notNull(),
    /** How much stands behind the mean: polls at level 0, finer buckets above. The value with more behind it wins. */
    samples: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.coin_key, table.level, table.bucket] }),
    check('market_points_usd', finiteOrZero(table.usd)),
  ],
)

/** Daily closes: of each day the price nearest to its end, at most twelve hours from it (decision 0137). */
export const market_closes = pgTable(
  'market_closes',
  {
    coin_key: integer()
      .notNull()
      .references(() => market_coins.key, { onDelete: 'cascade' }),
    /** Number of the UTC day since 1970. */
    day: integer().notNull(),
    usd: doublePrecision().notNull(),
    /** When the provider says the price was true. */
    at: millis().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.coin_key, table.day] }),
    check('market_closes_usd', finiteOrZero(table.usd)),
  ],
)

/** Requests to the provider for a level of a coin's history, so that a silent or failing one is not asked at once again. */
export const market_fetches = pgTable(
  'market_fetches',
  {
    coin_key: integer()
      .notNull()
      .references(() => market_coins.key, { onDelete: 'cascade' }),
    level: smallint().notNull(),
    /** The span that answers have covered, whatever they held; null: none yet. */
    covered_from: millis(),
    covered_until: millis(),
    /** One process at a time asks; a process that died lets go by this time. */
    claimed_until: millis().notNull().default(0),
    /** Failures since the last answer, and when it may be tried again. */
    failures: integer().notNull().default(0),
    retry_at: millis().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.coin_key, table.level] })],
)

/** Calls made to CoinGecko in a calendar month (UTC, `2026-11`); shared by all processes. */
export const market_calls = pgTable('market_calls', {
  month: text().primaryKey(),
  calls: integer().notNull(),
  /** Those of them that everybody's prices and the coin list took. */
  polling_calls: integer().notNull().default(0),
  /** Those of them that were made on demand for coins that no widget has. */
  asked_calls: integer().notNull().default(0),
  /** Calls by their purpose (`CallPurpose` of server/adapters/market-data/provider.ts). */
  purposes: jsonb().$type<Readonly<Record<string, number>>>().notNull().default({}),
  /** Polls of the watched coins so far. */
  turns: integer().notNull().default(0),
  /** A 429 asks everybody to be silent until then. */
  paused_until: millis().notNull().default(0),
  /** When the watched coins were last polled, whatever came of it. */
  polled_at: millis().notNull().default(0),
})
