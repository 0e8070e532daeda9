import type { WidgetId } from '../../domain/ids'
import { reorder, withSwapped } from '../../domain/layout-order'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import { isUnsent } from '../mutations/mutation-types'
import { appendEntry } from '../outbox'
import type { Payloads } from '../outbox-entry'
import type { Snapshot } from '../snapshot'
import { done, runCommand } from './run-command'

const MIXED = 'Cannot mix active and inactive widgets. Reverting layout.'
const PAIRS_CHANGED = 'These pairs have changed meanwhile. Nothing was exchanged.'

/** Milliseconds that the layout rests before it is sent; stands in the entry, so that it survives a reload. */
const LAYOUT_DEBOUNCE = 4_000

/** Sets the order; allowed only within the active and within the inactive widgets. */
export function reorderWidgets(context: CommandContext, orderedIds: readonly WidgetId[]): Promise<CommandResult> {
  return runCommand(context, 'Authentication context not available. Cannot save the layout.', async (snapshot) => {
    const { shown, ids } = snapshot
    const order = reorder(
      shown,
      orderedIds.map((id) => canonical(ids, id)),
    )
    if (!order.ok) return { ok: false, message: MIXED }
    return putOrder(context, snapshot, { ordered_ids: order.ids }, context.now() + LAYOUT_DEBOUNCE)
  })
}

/** An inactive pair becomes active in place of an active one, whose place it takes; sent at once, as nothing follows it. */
export function exchangeWidgets(
  context: CommandContext,
  { activate, inPlaceOf }: { readonly activate: WidgetId; readonly inPlaceOf: WidgetId },
): Promise<CommandResult> {
  return runCommand(context, 'Authentication context not available. Cannot save the layout.', async (snapshot) => {
    const { shown, ids } = snapshot
    const find = (id: WidgetId) => shown.find((widget) => widget.id === canonical(ids, id))
    const [next, leaving] = [find(activate), find(inPlaceOf)]
    if (next?.is_active !== false || leaving?.is_active !== true) return { ok: false, message: PAIRS_CHANGED }
    const order = withSwapped(
      shown.map((widget) => widget.id),
      next.id,
      leaving.id,
    )
    return putOrder(context, snapshot, { ordered_ids: order, exchange: true }, 0)
  })
}

/** The new order says all that earlier ones did that were not sent, an exchange among them too. */
async function putOrder(
  context: CommandContext,
  snapshot: Snapshot,
  payload: Payloads['layout.reorder@1'],
  notBefore: number,
): Promise<CommandResult> {
  const { shown, entries } = snapshot
  if (payload.ordered_ids.every((id, index) => shown[index]?.id === id)) return done
  const replaced = entries.flatMap((entry) => (entry.kind === 'layout.reorder@1' && isUnsent(entry) ? [entry] : []))
  for (const entry of replaced) await context.db.outbox.delete(entry.seq!)
  await appendEntry(context, snapshot, {
    kind: 'layout.reorder@1',
    payload: { ...payload, ...(replaced.some((entry) => entry.payload.exchange) && { exchange: true }) },
    label: 'the layout',
    notBefore,
  })
  return done
}
