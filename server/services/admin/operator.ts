import { and, eq } from 'drizzle-orm'
import { ApiError } from '../../api-error'
import type { Queryable } from '../../db/open'
import { sessions } from '../../db/schema/sessions'
import { users } from '../../db/schema/users'
import type { Caller } from '../../plugins/identity'

/** A superuser who is doing something. */
export interface Operator {
  readonly id: string
  readonly email: string
}

/**
 * The caller, if they are a superuser. Looked up each time: a right that was taken away is gone at once.
 * @throws ApiError TOKEN_EXPIRED when the session has ended, FORBIDDEN for everybody who is no superuser
 */
export async function requireOperator(db: Queryable, caller: Caller): Promise<Operator> {
  const refused = () => new ApiError('FORBIDDEN', 'Only for superusers.')
  if (caller.kind === 'guest') throw refused()
  const { userId, sessionId } = caller
  const [row] = await db
    .select({ id: users.id, email: users.email, isSuperuser: users.is_superuser })
    .from(users)
    .innerJoin(sessions, eq(sessions.user_id, users.id))
    .where(and(eq(users.id, userId), eq(sessions.id, sessionId), users.is_active))
  if (row === undefined) throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
  if (!row.isSuperuser) throw refused()
  return { id: row.id, email: row.email }
}
