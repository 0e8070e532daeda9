import type { WidgetId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import { removeShown } from '../remove-shown'
import { pairName } from '../snapshot'
import { done, runCommand } from './run-command'

/** Removes a pair; removing what is not there any more (another device was faster) is done already. */
export function removeWidget(context: CommandContext, id: WidgetId): Promise<CommandResult> {
  return runCommand(context, 'Authentication context not available. Cannot remove widget.', async (snapshot) => {
    const real = canonical(snapshot.ids, id)
    const widget = snapshot.shown.find((one) => one.id === real)
    if (widget === undefined) return done
    await removeShown(context, snapshot, widget, pairName(snapshot, widget.coin_a_id, widget.coin_b_id))
    return done
  })
}
