/** A / B, or null where a price is missing or B is not above zero. */
export function ratioOf(priceA: number | null | undefined, priceB: number | null | undefined): number | null {
  if (priceA == null || priceB == null || !(priceA >= 0) || !(priceB > 0)) return null
  const ratio = priceA / priceB
  return Number.isFinite(ratio) ? ratio : null
}
