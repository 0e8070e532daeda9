import { coinId, widgetId } from '../../src/contract/scalars'
import type { Widget } from '../../src/contract/widget'
import type { WidgetRow } from '../../src/db/rows'
import { INITIAL_SETTINGS } from '../../src/db/widget-settings'

const WIDGET_ID = widgetId.parse('00000000-0000-4000-8000-000000001000')
const BITCOIN = coinId.parse('bitcoin')
const ETHEREUM = coinId.parse('ethereum')

/** A widget as the server sends it: BTC / ETH, the only active pair of its user, without thresholds and checkpoints. */
export const wireWidget = (values: Partial<Widget> = {}): Widget => ({
  id: WIDGET_ID,
  display_order: 0,
  coin_a_id: BITCOIN,
  coin_b_id: ETHEREUM,
  ...INITIAL_SETTINGS,
  high_epoch: 0,
  low_epoch: 0,
  is_active: true,
  created_at: '2026-01-01T00:00:00.000Z',
  created_by_op: null,
  checkpoints: [],
  ...values,
})

/** The row that the local database keeps of the same widget. The owner has no default: no board shows another owner's row. */
export function widgetRow({ owner, ...values }: Partial<WidgetRow> & Pick<WidgetRow, 'owner'>): WidgetRow {
  const { checkpoints: _, ...widget } = wireWidget(values)
  return { ...widget, owner }
}
