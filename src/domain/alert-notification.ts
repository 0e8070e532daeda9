import { alertBody, alertTitle, type Crossing, NEUTRAL_BODY, NEUTRAL_TITLE } from './alert-words'
import type { OwnerId, WidgetId } from './ids'

/** What a button of a notification asks for; an empty action is a click on the notification itself. */
export const OPEN_CHART = 'open-chart'
export const REARM_LATER = 'rearm-later'

/** Travels with a notification and comes back with a click on it. */
export interface AlertData {
  readonly event_id: string
  readonly owner: OwnerId
  readonly widget_id: WidgetId
}

/** What `ServiceWorkerRegistration.showNotification` takes (Notifications API). */
export interface AlertNotification {
  readonly title: string
  readonly options: {
    readonly body: string
    readonly tag: string
    readonly icon: string
    readonly timestamp: number
    readonly data: AlertData | null
    /** Shown without a sound: it has been announced here already. */
    readonly silent: boolean
    /** Whatever of the same tag is still shown, this one is heard. */
    readonly renotify: boolean
    /** Browsers without buttons ignore them. */
    readonly actions: readonly { readonly action: string; readonly title: string }[]
  }
}

const ICON = '/icons/icon-192.png'

/**
 * How a crossing is shown, by a page and by the service worker alike: one tag, so that the second takes the place of the
 * first.
 * @param now milliseconds
 * @param silent it has been announced on this device already
 */
export function alertNotification(alert: Crossing & AlertData, now: number, silent = false): AlertNotification {
  const actions = [
    { action: OPEN_CHART, title: 'Open chart' },
    { action: REARM_LATER, title: 'Re-arm later' },
  ]
  return {
    title: alertTitle(alert),
    options: {
      body: alertBody(alert, now),
      tag: alert.event_id,
      icon: ICON,
      timestamp: alert.at,
      data: { event_id: alert.event_id, owner: alert.owner, widget_id: alert.widget_id },
      silent,
      renotify: !silent,
      actions,
    },
  }
}

/**
 * For what must not be told here, or cannot be read: a browser wants every push to be seen.
 * @param at milliseconds
 */
export const neutralNotification = (tag: string, at: number): AlertNotification => ({
  title: NEUTRAL_TITLE,
  options: {
    body: NEUTRAL_BODY,
    tag,
    icon: ICON,
    timestamp: at,
    data: null,
    silent: false,
    renotify: true,
    actions: [],
  },
})
