import type { AUDITED_ACTIONS } from '../../../src/contract/admin'
import type { Queryable } from '../../db/open'
import { audit_log } from '../../db/schema/audit'
import type { Operator } from './operator'

interface Deed {
  /** Null: the configuration or the command line. */
  readonly actor: Operator | null
  readonly action: (typeof AUDITED_ACTIONS)[number]
  readonly target: { readonly id: string; readonly email: string }
  /** In words. */
  readonly details?: string
}

/**
 * Writes down what was done, as part of the transaction that does it: neither is there without the other.
 * @param now milliseconds since 1970
 */
export async function noteDeeds(tx: Queryable, deeds: readonly Deed[], now: number): Promise<void> {
  if (deeds.length === 0) return
  await tx.insert(audit_log).values(
    deeds.map(({ actor, action, target, details }) => ({
      at: new Date(now),
      actor_id: actor?.id ?? null,
      actor_email: actor?.email ?? null,
      action,
      target_id: target.id,
      target_email: target.email,
      details: details ?? null,
    })),
  )
}
