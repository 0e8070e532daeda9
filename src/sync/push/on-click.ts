import type { LocalDatabase } from '../../db/database'
import { putAway, putOffRearming } from '../../db/commands/mark-alerts'
import { type AlertData, REARM_LATER } from '../../domain/alert-notification'
import type { WidgetId } from '../../domain/ids'
import { inTime } from '../in-time'
import { openApp } from './open-app'

/** What became of a notification: its text or a button was clicked, or it was put away. */
export type Gesture = { readonly kind: 'click'; readonly action: string } | { readonly kind: 'close' }

interface Ports {
  readonly db: LocalDatabase
  readonly clients: Clients
  /** Milliseconds. */
  readonly now: () => number
}

/**
 * Does what a click on a notification asks for. "Re-arm later" leaves the side disarmed and reminds on the Alerts page;
 * everything else leads to the pair's chart. The window comes first: a browser lets it be opened only for a moment after
 * the click.
 * @param data what the notification carries; null: it told nothing
 */
export async function onGesture(ports: Ports, gesture: Gesture, data: AlertData | null): Promise<void> {
  switch (gesture.kind) {
    case 'close':
      return data === null ? undefined : putAway(ports, data.event_id)
    case 'click':
      if (gesture.action === REARM_LATER) return data === null ? undefined : putOffRearming(ports, data.event_id)
      await Promise.all([
        openApp(ports.clients, await widgetOf(ports.db, data)),
        data === null ? undefined : putAway(ports, data.event_id),
      ])
  }
}

/** Milliseconds: Firefox lets a window be opened within a second of the click. */
const PATIENCE = 500

/** Null where it is not the alert of whoever uses this browser now. */
async function widgetOf(db: LocalDatabase, data: AlertData | null): Promise<WidgetId | null> {
  if (data === null) return null
  try {
    const session = await inTime(
      db.session.get('current'),
      PATIENCE,
      'The local database did not answer a click in time.',
    )
    return data.owner === session?.owner ? data.widget_id : null
  } catch (error) {
    reportError(error)
    // The page itself shows nobody a pair of somebody else.
    return data.widget_id
  }
}
