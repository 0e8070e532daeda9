import type { WidgetId } from '../../domain/ids'
import { PAIR_GONE } from '../../domain/pair-words'
import type { LaidWidget } from '../board'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import type { Snapshot } from '../snapshot'
import { pairName } from './pair-name'
import { runCommand } from './run-command'

/** A pair as a command finds it. */
export interface Found {
  readonly snapshot: Snapshot
  readonly widget: LaidWidget
  /** What the user calls it. */
  readonly label: string
}

/** Runs a command about one pair; refused where another device has removed it. */
export function runWidgetCommand<T>(
  context: CommandContext,
  missing: string,
  id: WidgetId,
  body: (found: Found) => Promise<CommandResult<T>>,
): Promise<CommandResult<T>> {
  return runCommand(context, missing, async (snapshot) => {
    const real = canonical(snapshot.ids, id)
    const widget = snapshot.shown.find((one) => one.id === real)
    if (widget === undefined) return { ok: false, message: PAIR_GONE }
    return body({ snapshot, widget, label: pairName(snapshot, widget.coin_a_id, widget.coin_b_id) })
  })
}
