import { sql } from 'drizzle-orm'

/**
 * True for an account `u` that an operator has disabled, or whose deletion its owner has asked for: no browser is told
 * of its alerts. False where `u` is no row, as for guests.
 */
export const isClosed = sql`(u.id IS NOT NULL AND (NOT u.is_active OR u.deletion_scheduled_at IS NOT NULL))`
