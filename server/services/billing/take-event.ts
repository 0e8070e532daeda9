import { eq } from 'drizzle-orm'
import type { BillingEvent } from '../../adapters/payments/payments'
import type { AppParts } from '../../app-parts'
import { billing_events } from '../../db/schema/billing'
import { noteEvent, syncCustomer } from './sync-customer'
import { whileAvailable } from './while-available'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock' | 'payments' | 'logger'>

/** `unconcerned`: it is about nobody's subscription here. */
export type Taken = 'applied' | 'known' | 'unconcerned'

/**
 * Takes an event of the payment provider. Once this resolves, the event has had its effect, and never has it again.
 * @throws ApiError BILLING_UNAVAILABLE, mostly with nothing stored: the provider sends the event again
 */
export async function takeEvent(parts: Parts, event: BillingEvent): Promise<Taken> {
  const { database, clock } = parts
  const known = await database.orm.select().from(billing_events).where(eq(billing_events.id, event.id))
  if (known.length > 0) return 'known'
  const { customer } = event
  if (customer !== null) {
    const synced = await whileAvailable(parts, (payments) => syncCustomer({ ...parts, payments }, customer, event))
    if (synced.kind !== 'unknown') return synced.kind === 'known' ? 'known' : 'applied'
  }
  return (await noteEvent(database.orm, event, clock())) ? 'unconcerned' : 'known'
}
