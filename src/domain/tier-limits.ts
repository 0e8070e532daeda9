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

interface InactivePlace {
  readonly account: 'guest' | 'free' | 'premium'
  /** Active widgets, and how many of them the tier allows. */
  readonly active: number
  readonly max: number
}

export interface Limits {
  readonly max_widgets: number
  readonly max_checkpoints_per_widget: number
  /** Coins by market cap that Radar ranks beside the owner's own; absent: a server of an earlier version. */
  readonly radar_coins?: number | undefined
}
export interface TierLimits {
  readonly free: Limits
  readonly premium: Limits
}

/** Limits until the server's have been loaded once. */
const FALLBACK_LIMITS: Limits = { max_widgets: 2, max_checkpoints_per_widget: 1 }

/** Radar's coins by market cap until the server's limit is known. */
const FALLBACK_RADAR_COINS = 20

export const radarCoins = ({ radar_coins = FALLBACK_RADAR_COINS }: Limits): number => radar_coins

export const effectiveLimits = (tiers: TierLimits | undefined, hasPremium: boolean): Limits =>
  tiers === undefined ? FALLBACK_LIMITS : hasPremium ? tiers.premium : tiers.free

type Row = Readonly<Record<'is_active', boolean>>

/** An owner's limit of widgets as this device knows it beside the server's rows. */
export interface KnownLimit {
  readonly limits: Limits
  /** True if the limit is at least as new as the rows; an older one says nothing against them. */
  readonly isFresh: boolean
}

/**
 * The rows as shown: active as the server says, but none beyond a limit that is as fresh as the rows, such as after the
 * end of a tier.
 * @param rows in display order
 */
export const activeRows = <R extends Row>(rows: readonly R[], { limits, isFresh }: KnownLimit): readonly R[] =>
  isFresh ? rows.map((row, index) => (index < limits.max_widgets ? row : { ...row, is_active: false })) : rows

/**
 * How many of the first widgets the server will make active when the layout changes: the limit, if it is as fresh as the
 * rows. Else the rows tell: an inactive row means that the limit is reached; if all are active, it is at least their number.
 */
export function activeSlots(rows: readonly Row[], { limits, isFresh }: KnownLimit): number {
  if (isFresh) return limits.max_widgets
  const active = rows.filter((row) => row.is_active).length
  return active < rows.length ? active : Math.max(active, limits.max_widgets)
}

/** True if the rows cannot come from this limit: the server had another limit or tier when it sent them. */
export const contradicts = (rows: readonly Row[], { max_widgets }: Limits): boolean =>
  rows.filter((row) => row.is_active).length !== Math.min(rows.length, max_widgets)

/** Why widgets are inactive: the notice of the first of them, and that of all behind it. */
export function inactiveNotices({ account, active, max }: InactivePlace): Record<'first' | 'rest', InactiveNotice> {
  const alike = (notice: InactiveNotice) => ({ first: notice, rest: notice })
  if (active < max) return alike({ code: 'NOT_YET_ACTIVE', upgrade: null })
  if (account !== 'premium') return alike({ code: 'TIER_LIMIT', upgrade: account === 'guest' ? 'login' : 'upgrade' })
  return { first: { code: 'MAX_LIMIT_NEXT_UP', upgrade: null }, rest: { code: 'MAX_LIMIT_QUEUED', upgrade: null } }
}

/** Why a card is inactive, and what its user can do. */
export interface InactiveNotice {
  readonly code: InactiveReason
  /** Target of the upgrade button; null: no higher tier. */
  readonly upgrade: 'login' | 'upgrade' | null
}
