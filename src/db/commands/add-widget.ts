import { tempWidgetId, type CoinId, type WidgetId } from '../../domain/ids'
import { checkNewPair } from '../../domain/pair'
import type { CommandContext, CommandResult } from '../command'
import { appendEntry } from '../outbox'
import { pairName } from '../snapshot'
import { runCommand } from './run-command'

/** Adds a pair at the end of the board; answers with its temporary id. */
export function addWidget(
  context: CommandContext,
  { coinA, coinB }: { readonly coinA: CoinId; readonly coinB: CoinId },
): Promise<CommandResult<WidgetId>> {
  return runCommand(context, 'Authentication context not available. Cannot add widget.', async (snapshot) => {
    const label = pairName(snapshot, coinA, coinB)
    const existing = snapshot.shown.map((widget) => ({ coinA: widget.coin_a_id, coinB: widget.coin_b_id }))
    const refusal = checkNewPair({ coinA, coinB, label, existing, limits: snapshot.limits })
    if (refusal !== null) return { ok: false, message: refusal }
    const widget = tempWidgetId(context.uuid())
    const body = {
      coin_a_id: coinA,
      coin_b_id: coinB,
      high_threshold: null,
      low_threshold: null,
      notifications_enabled: false,
    }
    await appendEntry(context, snapshot, { kind: 'widget.create@1', payload: { widget, body }, label })
    return { ok: true, value: widget }
  })
}
