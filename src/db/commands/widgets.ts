import { bySide, hasThreshold, type Thresholds } from '../../domain/alerts'
import { type CoinId, tempWidgetId, type WidgetId } from '../../domain/ids'
import { reorder, withSwapped } from '../../domain/layout-order'
import { checkNewPair } from '../../domain/new-pair'
import { readySide } from '../../domain/preset-thresholds'
import { canonical } from '../board'
import { type CommandContext, type CommandResult, done, findShown, runCommand, runWidgetCommand } from '../command'
import { isUnsent } from '../mutations/mutation-types'
import { appendEntry, mergeOrAppend, removeShown } from '../outbox'
import type { Payloads } from '../outbox-entry'
import { pairName, type Snapshot } from '../snapshot'
import { type AlertsView, alertsViewOf, updateBodyOf, type WidgetChange } from '../view'
import { BARE_CREATE } from '../widget-settings'

const NO_CONTEXT = 'Authentication context not available.'
const PAIRS_CHANGED = 'These pairs have changed meanwhile. Nothing was exchanged.'
const MIXED = 'Cannot mix active and inactive widgets. Reverting layout.'
const THRESHOLDS_CHANGED = 'The thresholds have changed since, so nothing was undone.'

/** Adds a pair at the end of the board; answers with its temporary id. */
export function addWidget(
  context: CommandContext,
  { coinA, coinB }: { readonly coinA: CoinId; readonly coinB: CoinId },
): Promise<CommandResult<WidgetId>> {
  return runCommand(context, `${NO_CONTEXT} Cannot add widget.`, async (snapshot) => {
    const label = pairName(snapshot, coinA, coinB)
    const existing = snapshot.shown.map((widget) => ({ coinA: widget.coin_a_id, coinB: widget.coin_b_id }))
    const refusal = checkNewPair({ coinA, coinB, label, existing, limits: snapshot.limits })
    if (refusal !== null) return { ok: false, message: refusal }
    const widget = tempWidgetId(context.uuid())
    const body = { coin_a_id: coinA, coin_b_id: coinB, ...BARE_CREATE }
    await appendEntry(context, snapshot, { kind: 'widget.create@1', payload: { widget, body }, label })
    return { ok: true, value: widget }
  })
}

/**
 * Changes a widget's alerts by one mutation, so that both sides are sent, refused or undone together.
 * @param change a function of the alerts as they are stored now, or a value
 * @param expected refused where a threshold is no longer this one
 */
export const updateWidget = (
  context: CommandContext,
  id: WidgetId,
  change: WidgetChange | ((alerts: AlertsView) => WidgetChange),
  expected?: Thresholds,
): Promise<CommandResult> =>
  runWidgetCommand(context, `${NO_CONTEXT} Cannot update widget.`, id, async ({ snapshot, widget, label }) => {
    const alerts = alertsViewOf(widget)
    if (expected && (alerts.high.threshold !== expected.high || alerts.low.threshold !== expected.low)) {
      return { ok: false, message: THRESHOLDS_CHANGED }
    }
    const body = updateBodyOf(typeof change === 'function' ? change(alerts) : change)
    await mergeOrAppend(context, snapshot, { kind: 'widget.update@1', payload: { widget: widget.id, body }, label })
    return done
  })

/**
 * Switches a pair's alerts; switching them on presets and disarms thresholds.
 * @param ratio the present one; null: not known, so that no threshold can be preset or compared
 * @param margin of a pair whose first thresholds are preset; null: it stays as it is
 */
export const setAlerts = (
  context: CommandContext,
  id: WidgetId,
  on: boolean,
  ratio: number | null,
  margin: number | null = null,
): Promise<CommandResult> =>
  updateWidget(context, id, (alerts) =>
    on && ratio !== null
      ? {
          notificationsEnabled: true,
          alerts: bySide((side) => readySide(side, alerts[side].threshold, ratio)),
          ...(margin !== null && !hasThreshold(alerts) && { margin }),
        }
      : { notificationsEnabled: on },
  )

/** Removes a pair; removing what is not there any more (another device was faster) is done already. */
export function removeWidget(context: CommandContext, id: WidgetId): Promise<CommandResult> {
  return runCommand(context, `${NO_CONTEXT} Cannot remove widget.`, async (snapshot) => {
    const widget = findShown(snapshot, id)
    if (widget !== undefined) {
      await removeShown(context, snapshot, widget, pairName(snapshot, widget.coin_a_id, widget.coin_b_id))
    }
    return done
  })
}

/** Milliseconds that the layout rests before it is sent; stands in the entry, so that it survives a reload. */
const LAYOUT_DEBOUNCE = 4_000

/** Sets the order; allowed only within the active and within the inactive widgets. */
export function reorderWidgets(context: CommandContext, orderedIds: readonly WidgetId[]): Promise<CommandResult> {
  return runCommand(context, `${NO_CONTEXT} Cannot save the layout.`, async (snapshot) => {
    const wanted = orderedIds.map((id) => canonical(snapshot.ids, id))
    const order = reorder(snapshot.shown, wanted)
    if (!order.ok) return { ok: false, message: MIXED }
    return putOrder(context, snapshot, { ordered_ids: order.ids }, context.now() + LAYOUT_DEBOUNCE)
  })
}

/** An inactive pair becomes active in place of an active one, whose place it takes; sent at once, as nothing follows it. */
export function exchangeWidgets(
  context: CommandContext,
  { activate, inPlaceOf }: { readonly activate: WidgetId; readonly inPlaceOf: WidgetId },
): Promise<CommandResult> {
  return runCommand(context, `${NO_CONTEXT} Cannot save the layout.`, async (snapshot) => {
    const [next, leaving] = [findShown(snapshot, activate), findShown(snapshot, inPlaceOf)]
    if (next?.is_active !== false || leaving?.is_active !== true) return { ok: false, message: PAIRS_CHANGED }
    const shown = snapshot.shown.map(({ id }) => id)
    return putOrder(context, snapshot, { ordered_ids: withSwapped(shown, next.id, leaving.id), exchange: true }, 0)
  })
}

/**
 * The new order says all that earlier ones did that were not sent, an exchange among them too. One that the server has
 * refused goes: tried again, it would undo the new one.
 */
async function putOrder(
  context: CommandContext,
  snapshot: Snapshot,
  payload: Payloads['layout.reorder@1'],
  notBefore: number,
): Promise<CommandResult> {
  const { shown, entries } = snapshot
  if (payload.ordered_ids.every((id, index) => shown[index]?.id === id)) return done
  const replaced = entries.flatMap((entry) => (entry.kind === 'layout.reorder@1' && isUnsent(entry) ? [entry] : []))
  const refused = entries.filter(({ kind, state }) => kind === 'layout.reorder@1' && state === 'failed')
  for (const entry of [...replaced, ...refused]) await context.db.outbox.delete(entry.seq!)
  await appendEntry(context, snapshot, {
    kind: 'layout.reorder@1',
    payload: { ...payload, ...(replaced.some((entry) => entry.payload.exchange) && { exchange: true }) },
    label: 'the layout',
    notBefore,
  })
  return done
}
