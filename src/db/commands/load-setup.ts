import { canonicalJson, type Setup, type SetupPair } from '../../domain/setup-file'
import { tempCheckpointId, tempWidgetId } from '../../domain/ids'
import { accountOf } from '../account'
import type { CommandContext, CommandResult } from '../command'
import { appendEntry } from '../outbox'
import { writeMeta } from '../queries/meta'
import { chartChoicesOf, dashboardChoiceOf } from '../setup-device'
import { planSetup, type SetupPlan } from '../setup-plan'
import { pairName, type Snapshot } from '../snapshot'
import { done, NO_SESSION, runCommand } from './run-command'

const CHANGED = 'Your pairs have changed since the preview, and nothing was loaded. Choose the file again.'

/**
 * Adds the pairs of a setup with thresholds, alerts and checkpoints, and takes over how charts and dashboard look: all that
 * the user has seen in the preview, or nothing. Loaded again, it finds them there.
 * @param seen the plan that the preview showed
 */
export function loadSetup(context: CommandContext, setup: Setup, seen: SetupPlan): Promise<CommandResult> {
  return runCommand(context, NO_SESSION, async (snapshot) => {
    const planned = await planSetup(context.db, snapshot, setup)
    if (!planned.ok) return { ok: false, message: planned.problem }
    if (canonicalJson(planned.plan) !== canonicalJson(seen)) return { ok: false, message: CHANGED }
    for (const pair of planned.plan.add) await addPair(context, snapshot, pair)
    const charts = chartChoicesOf(setup.device)
    if (charts !== null) await writeMeta(context.db, 'chart_choices', charts)
    const dashboard = dashboardChoiceOf(setup.device)
    if (dashboard !== null) await writeMeta(context.db, 'dashboard', dashboard)
    return done
  })
}

async function addPair(context: CommandContext, snapshot: Snapshot, pair: SetupPair): Promise<void> {
  const { base, quote, high, low, high_armed, low_armed, alerts } = pair
  const label = pairName(snapshot, base, quote)
  const widget = tempWidgetId(context.uuid())
  const body = {
    coin_a_id: base,
    coin_b_id: quote,
    high_threshold: high_armed ? high : null,
    low_threshold: low_armed ? low : null,
    notifications_enabled: alerts,
  }
  await appendEntry(context, snapshot, { kind: 'widget.create@1', payload: { widget, body }, label })
  if (!high_armed || !low_armed) {
    // A disarmed side follows together with its flag: a create arms both.
    const disarmed = {
      ...(!high_armed && { high_threshold: high, high_threshold_active: false }),
      ...(!low_armed && { low_threshold: low, low_threshold_active: false }),
    }
    await appendEntry(context, snapshot, { kind: 'widget.update@1', payload: { widget, body: disarmed }, label })
  }
  const isGuest = accountOf(snapshot.session) === 'guest'
  const kind = isGuest ? 'checkpoint.anonymous-create@1' : 'checkpoint.create@1'
  for (const { ratio, saved_at, is_default } of pair.checkpoints) {
    const checkpoint = tempCheckpointId(context.uuid())
    const saved = { ratio, timestamp: saved_at, is_default: isGuest || is_default }
    await appendEntry(context, snapshot, {
      kind,
      payload: { widget, checkpoint, body: saved },
      label,
      failure: 'Failed to save checkpoint',
    })
  }
}
