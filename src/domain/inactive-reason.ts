/** Who asks: the kind decides the limits, and what can be done about them. */
export type AccountKind = 'guest' | 'free' | 'premium'

/** Why an inactive widget shows no figures. */
export type InactiveReason =
  /** Premium: the first of those that wait. */
  | 'MAX_LIMIT_NEXT_UP'
  /** Premium: waits behind others. */
  | 'MAX_LIMIT_QUEUED'
  /** The tier tracks no more; another one would. */
  | 'TIER_LIMIT'
  /** There is room: the server has not said so yet. */
  | 'NOT_YET_ACTIVE'

export interface InactivePlace {
  readonly account: AccountKind
  /** Among the inactive widgets, from 0. */
  readonly index: number
  /** Active widgets, and how many of them the tier allows. */
  readonly active: number
  readonly max: number
}

export function inactiveReason({ account, index, active, max }: InactivePlace): InactiveReason {
  if (active < max) return 'NOT_YET_ACTIVE'
  if (account !== 'premium') return 'TIER_LIMIT'
  return index === 0 ? 'MAX_LIMIT_NEXT_UP' : 'MAX_LIMIT_QUEUED'
}
