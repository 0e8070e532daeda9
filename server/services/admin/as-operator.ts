import { ApiError } from '../../http/api-error'
import type { UserAccount } from '../accounts/account'
import { type Caller, withUserLock } from '../owners'
import type { ChangeTx } from '../revisions'
import type { ServiceDeps } from '../service-deps'
import { requireFreshSignIn } from '../sessions/sessions'
import { type NewAuditEntry, requireOperator, writeAudit } from './operators'
import { requireAccount } from './users'

/**
 * Lets a superuser change an account under its lock, and writes that into the audit log: of two operators who do the same at
 * once, the second finds it done.
 * @param change gives its result, and what it did in words
 * @throws ApiError NOT_FOUND; FRESH_SIGN_IN_REQUIRED; FORBIDDEN, TOKEN_EXPIRED where `by` is no operator (any more)
 */
export async function asOperator<T>(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  by: Caller,
  user: string,
  action: NewAuditEntry['action'],
  change: (tx: ChangeTx, target: UserAccount, now: number) => Promise<{ readonly value: T; readonly details?: string }>,
): Promise<T> {
  const now = clock()
  const changed = await withUserLock(database, user, now, async (tx) => {
    const actor = await requireOperator(tx, by)
    await requireFreshSignIn(tx, by, now)
    const target = await requireAccount(tx, user)
    const { value, details } = await change(tx, target, now)
    await writeAudit(tx, [{ actor, action, target, ...(details !== undefined && { details }) }], now)
    return { value }
  })
  if (changed === undefined) throw new ApiError('NOT_FOUND', 'There is no such account.')
  return changed.value
}
