import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, pgTable, timestamp, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core' // prettier-ignore
import { finite } from './finite'
import { owners } from './owners'
import { widgets } from './widgets'

export const checkpoints = pgTable(
  'checkpoints',
  {
    id: uuid().primaryKey().defaultRandom(),
    widget_id: uuid()
      .notNull()
      .references(() => widgets.id, { onDelete: 'cascade' }),
    owner_id: uuid()
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    ratio: doublePrecision().notNull(),
    /** When the ratio was saved, as the client says. */
    timestamp: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    is_default: boolean().notNull(),
    display_order: integer().notNull(),
    /** The Idempotency-Key of the create. */
    created_by_op: uuid(),
    created_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    unique('checkpoints_owner_op').on(table.owner_id, table.created_by_op),
    index('checkpoints_widget_order').on(table.widget_id, table.display_order),
    uniqueIndex('checkpoints_one_default')
      .on(table.widget_id)
      .where(sql`${table.is_default}`),
    check('checkpoints_order', sql`${table.display_order} >= 0`),
    check('checkpoints_ratio', finite(table.ratio)),
  ],
)
