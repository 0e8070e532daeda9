import { coinId, widgetId } from '../../src/contract/scalars'
import type { WidgetView } from '../../src/db/view'

const WIDGET_ID = widgetId.parse('00000000-0000-4000-8000-000000001000')
const BITCOIN = { id: coinId.parse('bitcoin'), symbol: 'BTC', name: 'Bitcoin', image: null }
const ETHEREUM = { id: coinId.parse('ethereum'), symbol: 'ETH', name: 'Ethereum', image: null }

/** A widget as the screen shows it: BTC / ETH, active, without thresholds and checkpoints, known to the server. */
export const widgetView = (values: Partial<WidgetView> = {}): WidgetView => ({
  id: WIDGET_ID,
  key: WIDGET_ID,
  coinA: BITCOIN,
  coinB: ETHEREUM,
  highThreshold: null,
  lowThreshold: null,
  notificationsEnabled: false,
  highThresholdActive: true,
  lowThresholdActive: true,
  highEpoch: 0,
  lowEpoch: 0,
  isActive: true,
  checkpoints: [],
  isPending: false,
  waiting: 0,
  ...values,
})
