import { closeWaysIn } from '../accounts/ways-in'
import type { Caller } from '../owners'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import { asOperator } from './as-operator'

/**
 * Logs an account out everywhere: for an owner who has lost a device and cannot log in, or is robbed just now. No browser
 * gets its alerts, or is known to it, from then on; its passwords and passkeys stay.
 * @throws ApiError as `asOperator`
 */
export function endUserSessions(
  deps: Pick<ServiceDeps, 'database' | 'clock'>,
  by: Caller,
  user: string,
): Promise<void> {
  return asOperator(deps, by, user, 'end-sessions', async (tx, { id }, now) => {
    await closeWaysIn(tx, id, { kind: 'operator' }, now)
    await recordSecurityEvent(tx, { userId: id, kind: 'sessions-ended-by-operator', byOperator: true }, now)
    return { value: undefined }
  })
}
