export const MISSING = 'N/A'

const formatters = new Map<string, Intl.NumberFormat>()

/** One formatter per set of options: making one costs a hundred times what using it costs. */
function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options)
  let made = formatters.get(key)
  if (made === undefined) formatters.set(key, (made = new Intl.NumberFormat('en-US', options)))
  return made
}

/** Grouped, with a fixed number of decimals: 1,234.50. A negative number that rounds to zero loses its sign. */
export const withDecimals = (value: number, decimals: number): string =>
  formatter({ minimumFractionDigits: decimals, maximumFractionDigits: decimals, signDisplay: 'negative' }).format(value)

/** The same with a plus before what rounds to more than zero. */
export const withSign = (value: number, decimals: number): string =>
  formatter({ minimumFractionDigits: decimals, maximumFractionDigits: decimals, signDisplay: 'exceptZero' }).format(
    value,
  )

/** Three significant digits unless told otherwise: 67,100, 1.23, 0.0000123, 1.23e-8; "N/A" where there is no number. */
export function formatSignificant(value: number | null, digits = 3): string {
  if (value === null || !Number.isFinite(value)) return MISSING
  const size = Math.abs(value)
  if (size >= 1e7 || (size < 1e-6 && size > 0)) return value.toExponential(digits - 1)
  return formatter({
    minimumSignificantDigits: digits,
    maximumSignificantDigits: digits,
    signDisplay: 'negative',
  }).format(value)
}
