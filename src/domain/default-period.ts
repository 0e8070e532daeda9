import type { Period } from './period'

/** The period a chart opens with from the dashboard; by itself, so that an address needs none of the periods' rules. */
export const DEFAULT_PERIOD: Period = '7d'
