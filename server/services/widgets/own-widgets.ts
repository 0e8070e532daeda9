import { and, asc, eq, exists, type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../../http/api-error'
import type { Orm } from '../../db/open'
import { sessions } from '../../db/schema/sessions'
import { owner_revisions, owners, users } from '../../db/schema/users'
import { checkpoints, widgets } from '../../db/schema/widgets'
import type { Caller, Owner } from '../owners'
import { rulesOfWidget } from '../rules/stored-rule'
import { widgetAnswers } from './widgets'

/** A caller as the reads of widgets know one; null: a guest who has never changed anything. */
type Reader = Pick<Owner, 'id' | 'kind' | 'lastSeen'> | null

/**
 * The statements of GET /widgets, which every client repeats. They are built once, and have names, so that each connection
 * has them parsed and planned once. Each finds caller, session and rows in one statement, which sees one moment.
 */
export function ownWidgets(orm: Orm) {
  const head = { id: owners.id, lastSeen: owners.last_seen, revision: owner_revisions.widgets }
  const readRevision = (name: string, which: SQL | undefined) =>
    orm
      .select(head)
      .from(owners)
      .leftJoin(owner_revisions, eq(owner_revisions.owner_id, owners.id))
      .where(which)
      .prepare(name)
  const readList = (name: string, which: SQL | undefined) =>
    orm
      .select({ head, widget: widgets, checkpoint: checkpoints, rules: rulesOfWidget })
      .from(owners)
      .leftJoin(owner_revisions, eq(owner_revisions.owner_id, owners.id))
      .leftJoin(widgets, eq(widgets.owner_id, owners.id))
      .leftJoin(checkpoints, eq(checkpoints.widget_id, widgets.id))
      .where(which)
      .orderBy(asc(widgets.display_order), asc(checkpoints.display_order))
      .prepare(name)

  const isGuest = eq(owners.anonymous_hash, sql.placeholder('guest'))
  const session = orm
    .select({ one: sql`1` })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(eq(sessions.id, sql.placeholder('session')), eq(sessions.user_id, owners.id), users.is_active))
  const isUser = and(eq(owners.id, sql.placeholder('user')), exists(session))
  const revisions = { guest: readRevision('guest_revision', isGuest), user: readRevision('user_revision', isUser) }
  const lists = { guest: readList('guest_widgets', isGuest), user: readList('user_widgets', isUser) }

  const read = <T>(statements: Statements<T>, caller: Caller): Promise<T[]> =>
    caller.kind === 'guest'
      ? statements.guest.execute({ guest: caller.anonymousHash })
      : statements.user.execute({ user: caller.userId, session: caller.sessionId })

  return {
    /**
     * Revision of the caller's widgets; 0 of a guest who is not stored, and before the first change.
     * @throws ApiError TOKEN_EXPIRED when the user's session has ended
     */
    async revision(caller: Caller) {
      const [row] = await read(revisions, caller)
      return { reader: readerOf(caller, row), revision: row?.revision ?? 0 }
    },
    /** The same, with the widgets as of the same moment. */
    async list(caller: Caller) {
      const rows = await read(lists, caller)
      const reader = readerOf(caller, rows[0]?.head)
      if (reader === null) return { reader, revision: 0, widgets: [] }
      const found = rows.flatMap(({ widget, ...parts }) => (widget === null ? [] : [{ widget, ...parts }]))
      return { reader, revision: rows[0]?.head.revision ?? 0, widgets: widgetAnswers(found, reader) }
    },
  }
}

interface Statements<T> {
  readonly guest: { execute(values: Record<string, unknown>): Promise<T[]> }
  readonly user: { execute(values: Record<string, unknown>): Promise<T[]> }
}

function readerOf(
  { kind }: Caller,
  row: { readonly id: string; readonly lastSeen: string | null } | undefined,
): Reader {
  if (row !== undefined) return { id: row.id, kind, lastSeen: row.lastSeen }
  if (kind === 'guest') return null
  throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
}
