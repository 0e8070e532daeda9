import { and, asc, eq } from 'drizzle-orm'
import { API_BASE } from '../../../src/contract/routes'
import type { Queryable } from '../../db/open'
import { alert_events } from '../../db/schema/alerts'
import { alert_channels, channel_deliveries } from '../../db/schema/channels'
import { alertsTemplate, type MailTemplate } from '../mail/mail-templates'
import { alertsMessage, testMessage } from './webhook-message'

/** A mail's text, and the address that stops such mails when it is posted to. */
export interface AlertMail {
  readonly template: MailTemplate
  readonly unsubscribe: string
}

/** The address in mails to this channel: it stops them when posted to, and asks whom it is opened by. */
const unsubscribeUrl = (origin: string, { id, secret }: { readonly id: string; readonly secret: string | null }) =>
  `${origin}${API_BASE}/alerts/channels/${id}/unsubscribe?token=${secret ?? ''}`

/**
 * Writes the mail of a batch, or a test; null: the owner has no mails of alerts any more.
 * @param batch id of the mail; null: a test
 */
export async function alertMail(
  tx: Queryable,
  owner: string,
  batch: string | null,
  origin: string,
  now: number,
): Promise<AlertMail | null> {
  const theirs = and(eq(alert_channels.owner_id, owner), eq(alert_channels.kind, 'email'))
  const [channel] = await tx.select().from(alert_channels).where(theirs)
  if (channel === undefined) return null
  const unsubscribe = unsubscribeUrl(origin, channel)
  if (batch === null) return { template: alertsTemplate(origin, testMessage(origin, now), unsubscribe), unsubscribe }
  if (channel.state !== 'on') return null
  const rows = await tx
    .select({ event: alert_events })
    .from(channel_deliveries)
    .innerJoin(alert_events, eq(alert_events.id, channel_deliveries.event_id))
    .where(and(eq(channel_deliveries.batch, batch), eq(channel_deliveries.outcome, 'queued')))
    .orderBy(asc(alert_events.crossed_at), asc(alert_events.epoch))
  if (rows.length === 0) return null
  const crossings = rows.map(({ event }) => event)
  const message = alertsMessage(origin, { id: batch, size: crossings.length }, crossings)
  return { template: alertsTemplate(origin, message, unsubscribe), unsubscribe }
}
