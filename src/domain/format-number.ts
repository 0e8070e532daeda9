export const MISSING = 'N/A'

/** A number that is not negative times 10^places, to the nearest whole one; half a unit of the digits that it reads as goes up. */
function shiftedWhole(size: number, places: number): number {
  const [digits, exponent = '0'] = String(size).split('e')
  return Math.round(Number(`${digits}e${Number(exponent) + places}`))
}

/**
 * Grouped, with a fixed number of decimals and the minus of typography: 1,234.50, −0.50. A number that rounds to zero has no
 * sign. Not by Intl, which rounds in the same way, and whose formats cost a phone 40 ms each to make. For reading only.
 * @param value finite
 * @param signDisplay 'exceptZero': a plus before positive numbers
 */
export function withDecimals(
  value: number,
  decimals: number,
  signDisplay: 'negative' | 'exceptZero' = 'negative',
): string {
  const size = Math.abs(value)
  // A number of so many digits times 10^decimals would be written with an exponent.
  const digits =
    size >= 1e15
      ? String(BigInt(Math.trunc(size)) * 10n ** BigInt(decimals) + BigInt(shiftedWhole(size % 1, decimals)))
      : String(shiftedWhole(size, decimals)).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const grouped = digits.slice(0, point).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  const sign = Number(digits) === 0 ? '' : value < 0 ? '−' : signDisplay === 'exceptZero' ? '+' : ''
  return `${sign}${grouped}${decimals === 0 ? '' : `.${digits.slice(point)}`}`
}

/** As `withDecimals`, with a plus before positive numbers: +1.93, −0.50. */
export const signedDecimals = (value: number, decimals: number): string => withDecimals(value, decimals, 'exceptZero')

/** Such as 1.2e-8; the exponent keeps the hyphen in which such numbers are typed. */
export const exponential = (value: number, decimals: number): string => value.toExponential(decimals).replace(/^-/, '−')

/** Three significant digits unless told otherwise: 67,100, 1.23, 0.0000123, 1.23e-8; "N/A" where there is no number. */
export function formatSignificant(value: number | null, digits = 3): string {
  if (value === null || !Number.isFinite(value)) return MISSING
  const size = Math.abs(value)
  if (size >= 1e7 || (size < 1e-6 && size > 0)) return exponential(value, digits - 1)
  const exponentOf = (of: number) => Number(of.toExponential().split('e')[1])
  const places = digits - 1 - exponentOf(size)
  const rounded = Number(`${shiftedWhole(size, places)}e${-places}`)
  return withDecimals(value < 0 ? -rounded : rounded, Math.max(0, digits - 1 - exponentOf(rounded)))
}

/** A change as signed per cent: 0.0123 is "+1.23%"; "n.a." where it is not known. */
export const formatPercent = (fraction: number | null): string =>
  fraction === null || !Number.isFinite(fraction * 100) ? 'n.a.' : `${signedDecimals(fraction * 100, 2)}%`

/** Below this, eight decimals would show fewer than three digits. */
const EXPONENTIAL_BELOW = 1e-6

/** A price in US dollars: $123,456.78, $0.1235, $1.23e-8; "N/A" where it is not known. */
export function formatPrice(usd: number | null): string {
  if (usd === null || !Number.isFinite(usd) || usd < 0) return MISSING
  if (usd === 0) return '$0.00'
  if (usd < EXPONENTIAL_BELOW) return `$${usd.toExponential(2)}`
  return `$${withDecimals(usd, usd >= 10 ? 2 : usd >= 0.1 ? 4 : usd >= 0.01 ? 5 : 8)}`
}

/** The larger a ratio, the fewer decimals; exponential from 1e7 and below 1e-7; "N/A" where it is not known. */
export function formatRatio(ratio: number | null): string {
  if (ratio === null || !Number.isFinite(ratio) || ratio < 0) return MISSING
  if (ratio === 0) return '0.00'
  if (ratio >= 1e7 || ratio < 1e-7) return ratio.toExponential(4)
  const decimals = ratio >= 1000 ? 2 : ratio >= 100 ? 3 : ratio >= 1 ? 4 : ratio >= 0.01 ? 6 : 8
  return withDecimals(ratio, decimals)
}

const SUFFIXES: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' }

/** Such as "21st". Without Intl, whose rules cost a phone 20 ms to make. @param rank below 111 */
const ordinal = (rank: number): string => `${rank}${(rank > 10 && rank < 14 ? undefined : SUFFIXES[rank % 10]) ?? 'th'}`

/**
 * A place such as "97th"; "lowest" or "highest" where every day lies on one side: there is no 0th and no 100th.
 * @param percentile a share; NaN: not known
 */
export function placeWords(percentile: number): string {
  if (Number.isNaN(percentile)) return MISSING
  if (percentile <= 0) return 'lowest'
  if (percentile >= 1) return 'highest'
  return ordinal(Math.min(99, Math.max(1, Math.round(100 * percentile))))
}

/** A place such as "97th percentile", or "lowest". */
export function percentileWords(percentile: number): string {
  const place = placeWords(percentile)
  return /\d/.test(place) ? `${place} percentile` : place
}
