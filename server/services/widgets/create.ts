import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { createWidgetBody, Widget } from '../../../src/contract/widget'
import type { CoinId } from '../../../src/domain/ids'
import { isActiveAt } from '../../../src/domain/layout-order'
import { checkRoomForPair, pairLabel } from '../../../src/domain/pair'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { widgets } from '../../db/schema/widgets'
import type { Market } from '../market/market'
import { type ChangeRequest, changeOnce } from '../operations'
import type { Owner } from '../owners'
import { limitsOf } from '../limits'
import { pairIdOf } from './pair-id'
import { readWidget, widgetAnswer } from './read'

type Body = z.output<typeof createWidgetBody>

/**
 * Adds a widget at the end of the caller's layout.
 * @throws ApiError SAME_COIN, PAIR_EXISTS (with the widget that is there), UNKNOWN_COIN, WIDGET_LIMIT_REACHED,
 *   IDEMPOTENCY_KEY_REUSED; NOT_FOUND when the key's widget has been removed since
 */
export async function createWidget(
  { database, env, market }: AppParts,
  request: ChangeRequest,
  body: Body,
): Promise<{ readonly value: Widget; readonly replayed: boolean }> {
  const { coin_a_id, coin_b_id } = body
  // Asked before the transaction, which must not wait for a provider; judged in it, since a repetition needs no market.
  const [known] = await Promise.allSettled([unknownCoin(market, [coin_a_id, coin_b_id])])

  return changeOnce(database, request, {
    forEver: true,
    recall: async (tx, owner, op) => {
      const widget = await readWidget(tx, owner, { op })
      if (widget === undefined) throw new ApiError('NOT_FOUND', 'The widget has been removed.')
      return widget
    },
    make: async (tx, owner) => {
      if (coin_a_id === coin_b_id) {
        throw new ApiError('SAME_COIN', 'Base and Quote cryptocurrencies cannot be the same.')
      }
      const present = await tx.select().from(widgets).where(eq(widgets.owner_id, owner.id))
      const same = present.find((row) => row.coin_a_id === coin_a_id && row.coin_b_id === coin_b_id)
      if (same !== undefined) await refusePair(tx, owner, same.id, pairLabel(coin_a_id, coin_b_id))
      if (known.status === 'rejected') throw known.reason
      if (known.value !== null) throw new ApiError('UNKNOWN_COIN', `The coin ${known.value} is not known.`)
      const limits = limitsOf(owner, env)
      const noRoom = checkRoomForPair(present.length, limits)
      if (noRoom !== null) throw new ApiError('WIDGET_LIMIT_REACHED', noRoom)

      const [row] = await tx
        .insert(widgets)
        .values({
          ...body,
          owner_id: owner.id,
          pair_id: await pairIdOf(tx, coin_a_id, coin_b_id),
          display_order: present.length,
          is_active: isActiveAt(present.length, limits.max_widgets),
          created_by_op: request.op,
          created_at: new Date(request.now),
        })
        .returning()
      if (row === undefined) throw new Error('The widget was not inserted')
      return widgetAnswer(row, owner, [])
    },
  })
}

async function unknownCoin(market: Market, coins: readonly CoinId[]): Promise<CoinId | null> {
  const known = await Promise.all(coins.map((coin) => market.knows(coin)))
  return coins.find((_, index) => known[index] !== true) ?? null
}

async function refusePair(tx: Queryable, owner: Owner, id: string, label: string): Promise<never> {
  const widget = await readWidget(tx, owner, { id })
  throw new ApiError('PAIR_EXISTS', `The exact pair ${label} already exists.`, { widget })
}
