import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { ApiError } from '../../http/api-error'
import type { Database } from '../../db/open'
import { readTogether, rowsByKey } from '../../db/read-together'
import { sessions } from '../../db/schema/sessions'
import { owner_revisions, owners, users } from '../../db/schema/users'
import { checkpoints, widgets } from '../../db/schema/widgets'
import type { Caller, Owner } from '../owners'
import { type RulesOfWidget, rulesOfWidget } from '../rules/stored-rule'
import { type AnsweredCheckpoint, type AnsweredWidget, isOfWidget, widgetAnswers } from './widgets'

/** A caller as the reads of widgets know one; null: a guest who has never changed anything. */
type Reader = Pick<Owner, 'id' | 'kind' | 'lastSeen'> | null
type Row = readonly unknown[]

/** Columns that answers have. */
const { owner_id: _owner, pair_id: _pair, high_due_at: _high, low_due_at: _low, ...WIDGET } = getTableColumns(widgets)
const { owner_id: _of, ...CHECKPOINT } = getTableColumns(checkpoints)
const widgetNames = Object.keys(WIDGET)
const checkpointNames = Object.keys(CHECKPOINT)
/** Columns of a row before the widget's: key, owner, day, revision. */
const HEAD = 4
const CHECKPOINT_AT = HEAD + widgetNames.length
const RULES_AT = CHECKPOINT_AT + checkpointNames.length

/**
 * The statements of GET /widgets, which every client repeats: callers who ask at the same moment share one. They have names, so
 * that each connection has them parsed and planned once. Each finds callers, sessions and rows, and sees one moment.
 */
export function ownWidgets({ orm, pool }: Pick<Database, 'orm' | 'pool'>) {
  const keys = sql.placeholder('keys')
  const guest = orm
    .select({ key: owners.anonymous_hash, owner: owners.id, seen: sql`${owners.last_seen}::text`.as('seen') })
    .from(owners)
    .where(sql`${owners.anonymous_hash} = ANY (${keys}::text[])`)
    .as('asked')
  const user = orm
    .select({ key: sessions.id, owner: sessions.user_id, seen: sql`NULL`.as('seen') })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.user_id), users.is_active))
    .where(sql`${sessions.id} = ANY (${keys}::uuid[])`)
    .as('asked')
  const revisionOf = (asked: typeof guest | typeof user) =>
    orm
      .select({ key: asked.key, owner: asked.owner, seen: asked.seen, revision: owner_revisions.widgets })
      .from(asked)
      .leftJoin(owner_revisions, eq(owner_revisions.owner_id, asked.owner))
  const listOf = (asked: typeof guest | typeof user) =>
    orm
      .select({
        head: { key: asked.key, owner: asked.owner, seen: asked.seen, revision: owner_revisions.widgets },
        widget: WIDGET,
        checkpoint: CHECKPOINT,
        rules: rulesOfWidget,
      })
      .from(asked)
      .leftJoin(owner_revisions, eq(owner_revisions.owner_id, asked.owner))
      .leftJoin(widgets, eq(widgets.owner_id, asked.owner))
      .leftJoin(checkpoints, isOfWidget)
      .orderBy(asc(widgets.display_order), asc(checkpoints.display_order))
  const shared = (name: string, statement: { toSQL(): { readonly sql: string } }) =>
    readTogether(rowsByKey(pool, { name, statement }))
  const revisions = {
    guest: shared('guest_revisions', revisionOf(guest)),
    user: shared('user_revisions', revisionOf(user)),
  }
  const lists = { guest: shared('guests_widgets', listOf(guest)), user: shared('users_widgets', listOf(user)) }

  return {
    /**
     * Revision of the caller's widgets; 0 of a guest who is not stored, and before the first change.
     * @throws ApiError TOKEN_EXPIRED when the user's session has ended
     */
    async revision(caller: Caller) {
      const [row] = await revisions[caller.kind](keyOf(caller))
      return headOf(caller, row)
    },
    /** The same, with the widgets as of the same moment. */
    async list(caller: Caller) {
      const rows = await lists[caller.kind](keyOf(caller))
      const head = headOf(caller, rows[0])
      return { ...head, widgets: head.reader === null ? [] : widgetAnswers(rows.flatMap(partsOf), head.reader) }
    },
  }
}

const keyOf = (caller: Caller): string => (caller.kind === 'guest' ? caller.anonymousHash : caller.sessionId)

function partsOf(row: Row) {
  if (row[HEAD] === null) return []
  const widget = record(widgetNames, row, HEAD) as AnsweredWidget
  const hasCheckpoint = row[CHECKPOINT_AT] !== null
  const checkpoint = hasCheckpoint ? (record(checkpointNames, row, CHECKPOINT_AT) as AnsweredCheckpoint) : null
  return [{ widget, checkpoint, rules: row[RULES_AT] as RulesOfWidget | null }]
}

/** Columns of a row beside each other, by their names; node-postgres has given each the type that Drizzle says it has. */
function record(names: readonly string[], row: Row, from: number): unknown {
  const made: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) made[name] = row[from + index]
  return made
}

function headOf(caller: Caller, row: Row | undefined): { readonly reader: Reader; readonly revision: number } {
  // A token names its user too, whose session it must be.
  if (row !== undefined && (caller.kind === 'guest' || row[1] === caller.userId)) {
    const reader = { id: row[1] as string, kind: caller.kind, lastSeen: row[2] as string | null }
    return { reader, revision: Number(row[3]) }
  }
  if (caller.kind === 'guest') return { reader: null, revision: 0 }
  throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
}
