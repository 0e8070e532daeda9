import type { WidgetId } from '../domain/ids'

/** What the service worker asks of a page; the page answers through the port that comes along, with `DONE`. */
export type PageRequest =
  /** Somebody has clicked a notification: null leads to the alerts. */
  { readonly type: 'open-chart'; readonly widget: WidgetId | null }

export const DONE = { type: 'done' } as const

/** Null for what is not for the page, such as a message of another version of the app. */
export function readPageRequest(data: unknown): PageRequest | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'open-chart') return null
  const { widget } = data as { readonly widget?: unknown }
  return widget === null || typeof widget === 'string'
    ? { type: 'open-chart', widget: widget as WidgetId | null }
    : null
}
