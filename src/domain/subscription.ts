/** The price of a plan, as the server says it. */
interface Price {
  /** Decimal, in the currency's unit. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  readonly interval: string
  readonly interval_count: number
}

const INTERVALS: readonly string[] = ['day', 'week', 'month', 'year']

/**
 * Such as "$5.00 a month" or "€50.00 every 6 months"; null for an interval that this version does not know.
 * @param locale BCP 47; absent: the user's
 */
export function formatPlanPrice({ amount, currency, interval, interval_count }: Price, locale?: string): string | null {
  if (!INTERVALS.includes(interval)) return null
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount))
  return `${money} ${interval_count === 1 ? `a ${interval}` : `every ${interval_count} ${interval}s`}`
}

/** Begins the id of Premium that an operator gave for free. */
export const MANUAL_PREFIX = 'manual_'

export const isManual = (id: string): boolean => id.startsWith(MANUAL_PREFIX)

/**
 * The statuses of Stripe's subscriptions that give Premium
 * (https://docs.stripe.com/api/subscriptions/object#subscription_object-status): `past_due` is still being collected.
 */
export const ENTITLING_STATUSES = ['active', 'trialing', 'past_due'] as const

export const isEntitling = (status: string): boolean => (ENTITLING_STATUSES as readonly string[]).includes(status)

/** Days of a grant: the default, and the most at once. */
export const DEFAULT_GRANT_DAYS = 30
export const LONGEST_GRANT_DAYS = 3650

/** Days that an operator has typed; null if a grant cannot last so many days. */
export function readDays(text: string): number | null {
  const days = Number(text)
  return text.trim() !== '' && Number.isInteger(days) && days >= 1 && days <= LONGEST_GRANT_DAYS ? days : null
}

/** Fault of the input, as a sentence; undefined: none. */
export function daysProblem(text: string): string | undefined {
  if (readDays(text) !== null) return undefined
  return Number(text) > LONGEST_GRANT_DAYS
    ? `Grant at most ${LONGEST_GRANT_DAYS} days at once.`
    : 'Enter a whole number of days, at least 1.'
}
