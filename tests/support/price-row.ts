import type { Price, PricesRow } from '../../src/db/rows'

const NOON = Date.UTC(2026, 0, 1, 12)

/** The latest price of a coin: bitcoin's, which no poll has confirmed since it was first seen. */
export const priceRow = ({
  usd = 60_000,
  first_seen_at = NOON,
  provider_time = first_seen_at,
}: Partial<Price> = {}): Price => ({ usd, first_seen_at, provider_time })

/**
 * The record of all latest prices, as a poll at `at` leaves it behind when every price is new.
 * @param usd by coin id
 * @param at milliseconds since 1970
 */
export const pricesRow = (
  usd: Readonly<Record<string, number>>,
  at = NOON,
  values: Partial<PricesRow> = {},
): PricesRow => ({
  key: 'usd',
  source: 'simulated',
  polled_at: at,
  prices: Object.fromEntries(
    Object.entries(usd).map(([coin, price]) => [coin, priceRow({ usd: price, first_seen_at: at })]),
  ),
  ...values,
})
