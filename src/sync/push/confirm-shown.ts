import { markRegistrationOutdated, readPushRegistration } from '../../db/push-registration'
import type { EngineEnv } from '../env'
import { send } from '../request'

/**
 * Tells the server that this browser has shown a push, and of which alerts as far as it could read them, where the server takes receipts. A server that does not know the secret
 * makes another at the next registration; a receipt that does not arrive is made up for by that of a later push.
 */
export async function confirmShown(env: EngineEnv, eventIds: readonly string[]): Promise<void> {
  const { registered } = await readPushRegistration(env.db)
  if (registered?.receipt === undefined) return
  const identity = { Authorization: `Receipt ${registered.receipt}` }
  const answer = await send(env, { route: 'pushShown', body: { event_ids: eventIds } }, identity)
  if (answer.kind === 'refused') await markRegistrationOutdated(env.db, registered.owner)
}
