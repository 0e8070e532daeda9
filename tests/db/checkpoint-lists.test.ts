import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CommandContext } from '../../src/db/command'
import { addCheckpoint, commitCheckpoints } from '../../src/db/commands/checkpoint-lists'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { isUnsent } from '../../src/db/mutations/mutation-types'
import { withoutCheckpoints } from '../../src/domain/checkpoint-list'
import type { WidgetId } from '../../src/domain/ids'
import { widgetRow } from '../support/widget-row'
import { checkpointRow } from './support/entries'
import { firstWidget, sendAll, userContext } from './support/people'

/** A checkpoint as the screen shows it. */
interface Shown {
  readonly ratio: number
  readonly isDefault: boolean
}

/** The user's actions; numbers choose among the checkpoints that are there by then. */
type Action =
  | { readonly does: 'save' | 'delete-default' | 'is-sent' }
  | {
      readonly does: 'commit' | 'add'
      readonly delete: readonly number[]
      readonly swap: number
      readonly prefer: number
    }

const popover = { delete: fc.array(fc.nat(5), { maxLength: 2 }), swap: fc.nat(9), prefer: fc.nat(9) }
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('commit' as const), ...popover }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('add' as const), ...popover }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('save' as const, 'delete-default' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('is-sent' as const) }) },
)

/** The plain meaning of a action, without outbox or overlay: the list before gives the list after. */
const listed = (list: readonly Shown[]) =>
  list.map(({ ratio, isDefault }, index) => ({ id: String(ratio), ratio, is_default: isDefault, display_order: index }))
const withoutDefault = (list: readonly Shown[]): Shown[] => {
  const gone = list.filter(({ isDefault }) => isDefault).map(({ ratio }) => String(ratio))
  return withoutCheckpoints(listed(list), gone).map(({ ratio, is_default }) => ({ ratio, isDefault: is_default }))
}

async function take(context: CommandContext, id: WidgetId, ratio: number, action: Action): Promise<Shown[]> {
  const before = (await firstWidget(context)).checkpoints
  const plain: Shown[] = before.map(({ ratio: one, isDefault }) => ({ ratio: one, isDefault }))
  switch (action.does) {
    case 'is-sent':
      await sendAll(context)
      return plain
    case 'save':
      await saveCheckpoint(context, id, ratio)
      return plain.length === 0
        ? [{ ratio, isDefault: true }]
        : plain.map((one) => (one.isDefault ? { ...one, ratio } : one))
    case 'delete-default':
      await deleteDefaultCheckpoint(context, id)
      return withoutDefault(plain)
    default: {
      const at = (n: number): number => n % Math.max(1, before.length)
      const deleted = new Set(action.delete.map((n) => before[at(n)]?.id))
      const left = before.filter((one) => !deleted.has(one.id))
      if (left.length > 1) left.push(...left.splice(action.swap % left.length, 1))
      const chosen = left[action.prefer % Math.max(1, left.length)]
      const draft = {
        deleted: before.filter((one) => deleted.has(one.id)).map((one) => one.id),
        order: left.map((one) => one.id),
        defaultId: chosen?.id ?? null,
      }
      const after = left.map((one) => ({ ratio: one.ratio, isDefault: one === chosen }))
      if (action.does === 'commit') {
        await commitCheckpoints(context, id, draft)
        return after
      }
      const added = await addCheckpoint(context, id, ratio, draft)
      if (!added.ok) return plain
      return [...after.map((one) => ({ ...one, isDefault: false })), { ratio, isDefault: true }]
    }
  }
}

test('the checkpoint list shows the result of any user actions, and at most one reorder and one set-default stay unsent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(4), fc.array(action, { minLength: 1, maxLength: 9 }), async (length, actions) => {
      const context = await userContext(true)
      const { owner } = (await context.db.session.get('current'))!
      const widget = widgetRow({ owner })
      await context.db.widgets.put(widget)
      const rows = Array.from({ length }, (_unused, index) => ({
        ...checkpointRow(widget.id, `cp-${index}`, index),
        owner,
      }))
      await context.db.checkpoints.bulkPut(rows)
      for (const [index, action] of actions.entries()) {
        const expected = await take(context, widget.id, 100 + index, action)
        const { checkpoints } = await firstWidget(context)
        expect(checkpoints.map(({ ratio, isDefault }) => ({ ratio, isDefault }))).toEqual(expected)
      }
      const unsent = (await context.db.outbox.toArray()).filter(isUnsent).map(({ kind }) => kind)
      expect(unsent.filter((kind) => kind === 'checkpoint.reorder@1').length).toBeLessThan(2)
      expect(unsent.filter((kind) => kind === 'checkpoint.set-default@1').length).toBeLessThan(2)
      context.db.close()
    }),
    { numRuns: 60 },
  )
})
