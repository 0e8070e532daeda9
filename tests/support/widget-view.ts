import { coinId, widgetId } from '../../src/contract/scalars'
import type { AlertsView, WidgetView } from '../../src/db/view'
import type { AlertSide } from '../../src/domain/alerts'

const WIDGET_ID = widgetId.parse('00000000-0000-4000-8000-000000001000')
const BITCOIN = { id: coinId.parse('bitcoin'), symbol: 'BTC', name: 'Bitcoin', image: null }
const ETHEREUM = { id: coinId.parse('ethereum'), symbol: 'ETH', name: 'Ethereum', image: null }

type AlertView = AlertsView[AlertSide]

const UNSET: AlertView = { threshold: null, armed: true, epoch: 0 }

/** Both sides' alerts; without values no threshold is set, and both would fire. */
export const alertsView = ({ high, low }: Partial<Record<AlertSide, Partial<AlertView>>> = {}): AlertsView => ({
  high: { ...UNSET, ...high },
  low: { ...UNSET, ...low },
})

/** A widget as the screen shows it: BTC / ETH, active, without thresholds and checkpoints, known to the server. */
export const widgetView = (values: Partial<WidgetView> = {}): WidgetView => ({
  id: WIDGET_ID,
  key: WIDGET_ID,
  coinA: BITCOIN,
  coinB: ETHEREUM,
  alerts: alertsView(),
  margin: 0,
  holdMinutes: 0,
  rules: [],
  serverRules: [],
  notificationsEnabled: false,
  isActive: true,
  checkpoints: [],
  isPending: false,
  waiting: 0,
  held: 0,
  ...values,
})
