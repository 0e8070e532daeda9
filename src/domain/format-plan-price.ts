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
