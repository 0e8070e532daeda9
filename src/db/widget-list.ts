import type { Checkpoint } from '../contract/checkpoint'
import type { Widget } from '../contract/widget'
import type { OwnerId, WidgetId } from '../domain/ids'
import type { CheckpointRow, WidgetRow } from './rows'

export const without = <T extends object, K extends keyof T>(record: T, key: K): Omit<T, K> => {
  const copy = { ...record }
  delete copy[key]
  return copy
}

const inOrder = <T extends { readonly display_order: number }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => a.display_order - b.display_order)

interface StoredWidgets {
  readonly widgets: readonly WidgetRow[]
  readonly checkpoints: readonly CheckpointRow[]
}

/** An owner's rows as the API gives them: in order, each widget with its checkpoints. */
export function widgetsOf(owner: OwnerId, { widgets, checkpoints }: StoredWidgets): Widget[] {
  const rows = inOrder(widgets.filter((row) => row.owner === owner))
  const byWidget = new Map<WidgetId, Checkpoint[]>(rows.map((row) => [row.id, []]))
  for (const row of inOrder(checkpoints)) byWidget.get(row.widget_id)?.push(without(row, 'owner'))
  return rows.map((row) => ({ ...without(row, 'owner'), checkpoints: byWidget.get(row.id) ?? [] }))
}
