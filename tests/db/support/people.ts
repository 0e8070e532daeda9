import type { User } from '../../../src/contract/session'
import type { CommandContext } from '../../../src/db/command'
import { addWidget } from '../../../src/db/commands/widgets'
import { ensureIdentity } from '../../../src/db/identity'
import type { WidgetView } from '../../../src/db/view'
import { readBoard } from '../../../src/db/board-rows'
import { writeMeta } from '../../../src/db/database'
import type { CoinId, OwnerId, WidgetId } from '../../../src/domain/ids'
import { NOW, testContext, uuid } from './entries'
import { NOTHING_ACCEPTED } from '../../support/new-account'

export const userRecord = (id: string, premium: boolean): User => ({
  id,
  email: 'user@example.com',
  has_premium_access: premium,
  is_superuser: false,
  is_active: true,
  has_password: true,
  created_at: '2026-01-01T00:00:00.000Z',
  ...NOTHING_ACCEPTED,
})

/** A guest whose browser knows the tiers. */
export async function guestContext(now?: () => number): Promise<CommandContext> {
  const context = testContext(now)
  await ensureIdentity(context, new Uint8Array(24))
  const free = { max_widgets: 5, max_checkpoints_per_widget: 1 }
  const premium = { max_widgets: 50, max_checkpoints_per_widget: 4 }
  await writeMeta(context.db, 'tier_limits', { limits: { free, premium }, fetched_at: NOW })
  return context
}

export async function userContext(premium: boolean, now?: () => number): Promise<CommandContext> {
  const context = await guestContext(now)
  const owner = uuid(9_999) as OwnerId
  const tokens = { access: 'a', refresh: 'r' }
  await context.db.session.update('current', { owner, tokens, user: userRecord(owner, premium) })
  return context
}

export const addPair = async (context: CommandContext, coinA = 'aaa', coinB = 'bbb'): Promise<WidgetId> => {
  const result = await addWidget(context, { coinA: coinA as CoinId, coinB: coinB as CoinId })
  if (!result.ok) throw new Error(result.message)
  return result.value
}

export const firstWidget = async ({ db }: CommandContext): Promise<WidgetView> => (await readBoard(db))!.widgets[0]!

export const kindsOf = async ({ db }: CommandContext): Promise<string[]> =>
  (await db.outbox.orderBy('seq').toArray()).map(({ kind }) => kind)

/** As if everything that waits had been sent once, without an answer. */
export const sendAll = async ({ db }: CommandContext): Promise<void> => {
  await db.outbox.toCollection().modify((entry) => void ((entry as { attempts: number }).attempts += 1))
}
