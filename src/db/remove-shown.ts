import type { OptimisticWidget } from './board'
import type { CommandContext } from './command'
import { forgetLost } from './forget-lost'
import { isUnsent } from './mutations/mutation-types'
import { mergeOrAppend, cancelCreate } from './outbox'
import type { OutboxEntry } from './outbox-entry'
import { readLost } from './queries/lost-pairs'
import type { Snapshot } from './snapshot'

/**
 * Removes a pair from an owner's board; runs inside a transaction. The pair's create and this cancel out while the
 * create was never sent.
 * @param label what the user calls the pair
 */
export async function removeShown(
  context: CommandContext,
  snapshot: Pick<Snapshot, 'owner' | 'rows' | 'entries' | 'ids'>,
  widget: OptimisticWidget,
  label: string,
): Promise<void> {
  // The server has nothing to remove any more.
  const lost = (await readLost(context.db, snapshot.owner)).filter((row) => row.id === widget.id)
  if (lost.length > 0) return forgetLost(context.db, lost, snapshot)
  const creates = unsentCreatesOf(snapshot, widget)
  for (const create of creates) await cancelCreate(context, snapshot, create)
  // A create that was laid over a server row leaves that row behind: it has to go as well.
  if (snapshot.rows.some((row) => row.id === widget.id) || creates.length === 0) {
    await mergeOrAppend(context, snapshot, { kind: 'widget.delete@1', payload: { widget: widget.id }, label })
  }
}

const unsentCreatesOf = (
  { entries }: Pick<Snapshot, 'entries'>,
  { coin_a_id, coin_b_id }: OptimisticWidget,
): readonly OutboxEntry[] =>
  entries.filter(
    (entry) =>
      entry.kind === 'widget.create@1' &&
      isUnsent(entry) &&
      entry.payload.body.coin_a_id === coin_a_id &&
      entry.payload.body.coin_b_id === coin_b_id,
  )
