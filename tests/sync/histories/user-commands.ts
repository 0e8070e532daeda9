import type { OptimisticWidget } from '../../../src/db/board'
import type { CommandContext } from '../../../src/db/command'
import { addCheckpoint, commitCheckpoints } from '../../../src/db/commands/checkpoint-lists'
import type { CheckpointDraft } from '../../../src/domain/checkpoint-draft'
import { addWidget, removeWidget, reorderWidgets, setAlerts, updateWidget } from '../../../src/db/commands/widgets'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../../src/db/commands/default-checkpoint'
import { setThreshold } from '../../support/set-threshold'
import { readSnapshot } from '../../../src/db/board-rows'
import type { CheckpointId, WidgetId } from '../../../src/domain/ids'
import type { Command } from './operations'
import { PAIRS } from './pairs'
import { keyOf, type ScreenWatch } from './screen-watch'

/** The user edits the list in the popover: some checkpoints go, one moves, one becomes the default. */
function draftOf({ checkpoints }: OptimisticWidget, a: number, b: number): CheckpointDraft {
  const deleted = checkpoints.filter((_, index) => ((a >> 2) >> index) % 8 === 0)
  const left = checkpoints.filter((one) => !deleted.includes(one))
  if (left.length > 1) left.splice(b % left.length, 0, ...left.splice(a % left.length, 1))
  const chosen = b % 2 === 0 ? left[b % Math.max(1, left.length)] : left.find((one) => one.is_default)
  return {
    deleted: deleted.map(({ id }) => id),
    // A user who touched neither leaves both as the screen shows them by then.
    order: b % 5 === 0 ? [] : left.map(({ id }) => id),
    defaultId: b % 5 === 0 ? null : ((chosen ?? left.at(-1))?.id ?? null),
  }
}

/** Does what a step of a history says, as the screen would. */
export async function doCommand(
  context: CommandContext,
  watch: ScreenWatch,
  { command, a, b }: Command,
): Promise<void> {
  const { db } = context
  const shown = (await readSnapshot(db))!.shown
  const widget = shown[a % Math.max(1, shown.length)]
  if (command === 'add') return void (await addWidget(context, PAIRS[b % PAIRS.length]!))
  if (command === 'reorder') {
    if (shown.length < 2) return
    const ids = shown.map(({ id }) => id)
    ids.splice(b % ids.length, 0, ...ids.splice(a % ids.length, 1))
    watch.cause('*')
    return void (await reorderWidgets(context, ids))
  }
  if (widget === undefined) return
  watch.cause(keyOf(widget))
  // A dialog that was opened before the answer came goes on using the temporary id.
  const remembered = async <T extends WidgetId | CheckpointId>(real: T): Promise<T> => {
    const alias = b % 3 === 0 ? await db.ids.filter((one) => one.real === real).first() : undefined
    return (alias?.temp ?? real) as T
  }
  const id = await remembered(widget.id)
  switch (command) {
    case 'remove':
      return void (await removeWidget(context, id))
    case 'update':
      return void (await updateWidget(context, id, {
        alerts: { high: { threshold: 1 + b } },
        ...(b % 2 !== 0 && { notificationsEnabled: b % 4 === 1 }),
      }))
    case 'threshold':
      return void (await setThreshold(
        context,
        id,
        a % 2 === 0 ? 'high' : 'low',
        b % 5 === 0 ? null : 1 + b,
        b % 2 === 0,
      ))
    case 'alerts':
      return void (await setAlerts(context, id, b % 2 === 0, b % 5 === 0 ? null : 1 + b))
    case 'save-checkpoint':
      return void (await saveCheckpoint(context, id, 1 + b))
    case 'delete-checkpoint':
      return void (await deleteDefaultCheckpoint(context, id))
    case 'commit-checkpoints':
    case 'add-checkpoint': {
      const { deleted, order, defaultId } = draftOf(widget, a, b)
      const draft = {
        deleted: await Promise.all(deleted.map(remembered)),
        order: await Promise.all(order.map(remembered)),
        defaultId: defaultId && (await remembered(defaultId)),
      }
      if (command === 'commit-checkpoints') return void (await commitCheckpoints(context, id, draft))
      return void (await addCheckpoint(context, id, 1 + b, draft))
    }
  }
}
