import { and, eq } from 'drizzle-orm'
import type { UpdateWidgetBody, Widget } from '../../../src/contract/widget'
import { begunArmings } from '../../../src/domain/armings'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { widgets } from '../../db/schema/widgets'
import { type ChangeRequest, changeOnce } from '../operations'
import { readWidget, type WidgetRow } from './read'

/**
 * Changes what the body names and leaves the rest. The value is null when a repetition finds the widget gone.
 * @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export function updateWidget(
  { database }: AppParts,
  request: ChangeRequest,
  id: string,
  body: UpdateWidgetBody,
): Promise<{ readonly value: Widget | null; readonly replayed: boolean }> {
  return changeOnce<Widget | null>(database, request, {
    forEver: false,
    recall: async (tx, owner) => (await readWidget(tx, owner, { id })) ?? null,
    make: async (tx, owner) => {
      const mine = and(eq(widgets.owner_id, owner.id), eq(widgets.id, id))
      // Locked, because a crossing disarms it without holding the owner.
      const [row] = await tx.select().from(widgets).where(mine).for('update')
      if (row === undefined) throw new ApiError('NOT_FOUND', 'There is no such widget.')
      const changes = changesOf(row, body)
      if (Object.keys(changes).length > 0) await tx.update(widgets).set(changes).where(mine)
      return (await readWidget(tx, owner, { id })) ?? null
    },
  })
}

function changesOf(row: WidgetRow, body: UpdateWidgetBody): Partial<WidgetRow> {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  return { ...given, ...begunArmings(row, body) }
}
