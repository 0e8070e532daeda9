import type { WidgetId } from '../../domain/ids'
import { reorder } from '../../domain/layout-order'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import { isUnsent } from '../kinds/registry'
import { appendEntry } from '../outbox'
import { done, runCommand } from './run-command'

const NO_IDENTITY = 'Authentication context not available. Cannot save the layout.'
const MIXED = 'Cannot mix active and inactive widgets. Reverting layout.'

/** Milliseconds that the layout rests before it is sent; stands in the entry, so that it survives a reload. */
const LAYOUT_DEBOUNCE = 4_000

/** Sets the order; allowed only within the active and within the inactive widgets. */
export function reorderWidgets(context: CommandContext, orderedIds: readonly WidgetId[]): Promise<CommandResult> {
  return runCommand(context, NO_IDENTITY, async (snapshot) => {
    const { shown, entries, ids } = snapshot
    const wished = reorder(
      shown,
      orderedIds.map((id) => canonical(ids, id)),
    )
    if (!wished.ok) return { ok: false, message: MIXED }
    if (wished.ids.every((id, index) => shown[index]?.id === id)) return done
    for (const entry of entries) {
      if (entry.kind === 'layout.reorder@1' && isUnsent(entry)) await context.db.outbox.delete(entry.seq!)
    }
    await appendEntry(context, snapshot, {
      kind: 'layout.reorder@1',
      payload: { ordered_ids: wished.ids },
      label: 'the layout',
      notBefore: context.now() + LAYOUT_DEBOUNCE,
    })
    return done
  })
}
