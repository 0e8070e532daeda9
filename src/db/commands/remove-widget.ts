import type { WidgetId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { readLost } from '../queries/lost-pairs'
import { forgetLost } from './lost-pairs'
import { canonical } from '../ids'
import { isUnsent } from '../kinds/registry'
import { absorbOrAppend, cancelCreate } from '../outbox'
import type { Entry } from '../outbox-entry'
import type { Snapshot } from '../snapshot'
import { pairName } from './pair-name'
import { done, runCommand } from './run-command'

const NO_IDENTITY = 'Authentication context not available. Cannot remove widget.'

/**
 * Removes a pair. Its create and this cancel out while the create was never sent; removing what is not there any more
 * (another device was faster) is done already.
 */
export function removeWidget(context: CommandContext, id: WidgetId): Promise<CommandResult> {
  return runCommand(context, NO_IDENTITY, async (snapshot) => {
    const real = canonical(snapshot.ids, id)
    const widget = snapshot.shown.find((one) => one.id === real)
    if (widget === undefined) return done
    // The server has nothing to remove any more.
    const lost = (await readLost(context.db, snapshot.owner)).filter((row) => row.id === real)
    if (lost.length > 0) {
      await forgetLost(context.db, lost, snapshot)
      return done
    }
    const creates = unsentCreatesOf(snapshot, widget.coin_a_id, widget.coin_b_id)
    for (const create of creates) await cancelCreate(context, snapshot, create)
    // A create that was laid over a server row leaves that row behind: it has to go as well.
    if (snapshot.rows.some((row) => row.id === real) || creates.length === 0) {
      const label = pairName(snapshot, widget.coin_a_id, widget.coin_b_id)
      await absorbOrAppend(context, snapshot, { kind: 'widget.delete@1', payload: { widget: real }, label })
    }
    return done
  })
}

const unsentCreatesOf = (snapshot: Snapshot, coinA: string, coinB: string): readonly Entry[] =>
  snapshot.entries.filter(
    (entry) =>
      entry.kind === 'widget.create@1' &&
      isUnsent(entry) &&
      entry.payload.body.coin_a_id === coinA &&
      entry.payload.body.coin_b_id === coinB,
  )
