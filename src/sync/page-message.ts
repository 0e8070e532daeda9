import type { WidgetId } from '../domain/ids'

/**
 * What the service worker asks of a page, with a port on which the page answers `SHOWN`: somebody has clicked a
 * notification, and wants the pair's chart.
 */
export interface PageRequest {
  readonly type: 'open-chart'
  readonly widget: WidgetId
}

export const SHOWN = { type: 'shown' } as const

/** Null for what is not for the page, such as a message of another version of the app. */
export function readPageRequest(data: unknown): PageRequest | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'open-chart') return null
  return 'widget' in data && typeof data.widget === 'string'
    ? { type: 'open-chart', widget: data.widget as WidgetId }
    : null
}
