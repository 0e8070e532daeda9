import type { WidgetId } from './ids'

/** The address of a pair's chart inside the app. */
export const chartPath = (widget: WidgetId): string => `/chart/${encodeURIComponent(widget)}`
