import type { AlertMessage } from '../../../src/contract/alerts'
import type { CommandContext } from '../../../src/db/command'
import type { AlertRow } from '../../../src/db/rows'
import type { AlertSide } from '../../../src/domain/alerts'
import type { CoinId, OwnerId, WidgetId } from '../../../src/domain/ids'
import { NOW, uuid } from './entries'

/** An owner who does not use this browser. */
export const OTHER_OWNER = uuid(77) as OwnerId

export const presentOwner = async ({ db }: Pick<CommandContext, 'db'>): Promise<OwnerId> =>
  (await db.session.get('current'))!.owner

/** A crossing of a pair, as a look of the open app notes it. */
export function alertRow(
  owner: OwnerId,
  { widget = uuid(1000), side = 'high', epoch = 0, ...change }: Partial<AlertRow> & Named = {},
): AlertRow {
  return {
    event_id: `${widget}:${side}:${epoch}`,
    owner,
    widget_id: widget as WidgetId,
    coin_a_id: 'aaa' as CoinId,
    coin_b_id: 'bbb' as CoinId,
    pair: 'AAA / BBB',
    side,
    ratio: 21.5,
    threshold: 21.42,
    at: NOW,
    by: 'app',
    toasted: false,
    seen_at: null,
    rearm_later: false,
    ...change,
  }
}

interface Named {
  readonly widget?: string
  readonly side?: AlertSide
  readonly epoch?: number
}

/** The server's message about the same crossing. */
export const messageOf = (alert: AlertRow, owner = ''): AlertMessage => ({
  type: 'alert',
  event_id: alert.event_id,
  owner,
  widget_id: alert.widget_id,
  coin_a_id: alert.coin_a_id,
  coin_b_id: alert.coin_b_id,
  pair: alert.pair,
  side: alert.side,
  epoch: Number(alert.event_id.split(':').at(-1)),
  ratio: alert.ratio,
  threshold: alert.threshold,
  crossed_at: new Date(alert.at).toISOString(),
})
