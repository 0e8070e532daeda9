import type { UpdateRuleBody } from '../../contract/rules'
import { type RuleId, tempRuleId, type WidgetId } from '../../domain/ids'
import { noRoomForRule } from '../../domain/rule-kinds'
import type { SetupRule } from '../../domain/setup-file'
import { canonical } from '../board'
import { type CommandContext, type CommandResult, done, NO_SESSION, runWidgetCommand } from '../command'
import { isUnsent } from '../mutations/mutation-types'
import { appendEntry, cancelCreate, mergeOrAppend } from '../outbox'

const EXISTS = 'This pair has such an alert already.'

/** Adds an alert to a pair; refused where there is no room for it, or an equal one. */
export const addRule = (context: CommandContext, id: WidgetId, body: SetupRule): Promise<CommandResult> =>
  runWidgetCommand(context, NO_SESSION, id, async ({ snapshot, widget, label }) => {
    const { kind, level, window } = body
    if (widget.rules.some((one) => one.kind === kind && one.level === level && one.window === window)) {
      return { ok: false, message: EXISTS }
    }
    const ofBoard = snapshot.shown.reduce((sum, { rules }) => sum + rules.length, 0)
    const room = { ofBoard, ofWidget: widget.rules.length }
    const message = noRoomForRule(room, snapshot.session.user?.has_premium_access ?? false)
    if (message !== null) return { ok: false, message }
    await appendEntry(context, snapshot, {
      kind: 'rule.create@1',
      payload: { widget: widget.id, rule: tempRuleId(context.uuid()), body },
      label,
      failure: `Failed to add an alert of ${label}`,
    })
    return done
  })

/** Changes an alert of a pair, or arms it; one that is gone meanwhile stays gone. */
export const changeRule = (
  context: CommandContext,
  { widget: id, rule }: { readonly widget: WidgetId; readonly rule: RuleId },
  body: UpdateRuleBody,
): Promise<CommandResult> =>
  runWidgetCommand(context, NO_SESSION, id, async ({ snapshot, widget, label }) => {
    const payload = { widget: widget.id, rule: canonical(snapshot.ids, rule), body }
    await mergeOrAppend(context, snapshot, { kind: 'rule.update@1', payload, label })
    return done
  })

/** Removes an alert of a pair; its create and this cancel out while the create was never sent. */
export const removeRule = (
  context: CommandContext,
  { widget: id, rule }: { readonly widget: WidgetId; readonly rule: RuleId },
): Promise<CommandResult> =>
  runWidgetCommand(context, NO_SESSION, id, async ({ snapshot, widget, label }) => {
    const create = snapshot.entries.find((entry) => entry.kind === 'rule.create@1' && entry.payload.rule === rule)
    if (create !== undefined && isUnsent(create)) await cancelCreate(context, snapshot, create)
    else {
      const payload = { widget: widget.id, rule: canonical(snapshot.ids, rule) }
      await mergeOrAppend(context, snapshot, { kind: 'rule.delete@1', payload, label })
    }
    return done
  })
