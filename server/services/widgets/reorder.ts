import type { ReorderWidgetsBody, Widget } from '../../../src/contract/widget'
import { reorder } from '../../../src/domain/layout-order'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { type ChangeRequest, changeOnce } from '../operations'
import { limitsOf } from '../limits'
import { arrange, holdLayout } from './arrange'
import { readWidgets } from './read'

/**
 * Puts the caller's widgets into the wished order, within the active and within the inactive ones, or across both.
 * @throws ApiError FORBIDDEN_REORDER_MIX, IDEMPOTENCY_KEY_REUSED
 */
export function reorderWidgets(
  { database, env }: AppParts,
  request: ChangeRequest,
  { ordered_ids, exchange }: ReorderWidgetsBody,
): Promise<{ readonly value: readonly Widget[]; readonly replayed: boolean }> {
  return changeOnce(database, request, {
    forEver: false,
    recall: (tx, owner) => readWidgets(tx, owner),
    make: async (tx, owner) => {
      const present = await holdLayout(tx, owner.id)
      const reordered = reorder(present, ordered_ids, exchange)
      if (!reordered.ok) {
        throw new ApiError('FORBIDDEN_REORDER_MIX', 'An active widget cannot stand behind an inactive one.')
      }
      await arrange(tx, reordered.ids, limitsOf(owner, env).max_widgets)
      return readWidgets(tx, owner)
    },
  })
}
