import type { AlertRow } from '../../../src/db/rows'
import { type AlertSide, alertEventId, ruleOf } from '../../../src/domain/alerts'
import type { OwnerId, WidgetId } from '../../../src/domain/ids'
import { coinNumber, START, type LocalApp } from '../support/local-app'

const bitcoin = coinNumber(0).id
const ether = coinNumber(1).id

/** An alert of BTC / ETH that fired at the start of the tests' day: the ratio 21.5 was beyond 20. */
export function alertRow(
  owner: OwnerId,
  widget: WidgetId,
  {
    side = 'high',
    epoch = 0,
    ...rest
  }: Partial<AlertRow> & { readonly side?: AlertSide; readonly epoch?: number } = {},
): AlertRow {
  return {
    event_id: alertEventId(ruleOf(widget, side), epoch),
    owner,
    widget_id: widget,
    coin_a_id: bitcoin,
    coin_b_id: ether,
    pair: 'BTC / ETH',
    side,
    ratio: 21.5,
    threshold: 20,
    at: START,
    by: 'push',
    toasted: true,
    seen_at: null,
    rearm_later: false,
    ...rest,
  }
}

export async function ownerOf(app: LocalApp): Promise<OwnerId> {
  const session = await app.db.session.get('current')
  if (session === undefined) throw new Error('no identity')
  return session.owner
}

/** The widget after a crossing: its high side disarmed at 20, alerts on. */
export const disarm = (app: LocalApp, widget: WidgetId) =>
  app.db.widgets.update(widget, { notifications_enabled: true, high_threshold: 20, high_threshold_active: false })
