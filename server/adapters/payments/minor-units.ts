/**
 * Currencies whose amounts Stripe counts in the unit itself, or in thousandths; all others are counted in hundredths, ISK
 * too (https://docs.stripe.com/currencies).
 */
const IN_UNITS = ['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'] // prettier-ignore
const IN_THOUSANDTHS = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

/**
 * Stripe's amount as a decimal in the currency's unit: 500 of USD is "5.00", 500 of JPY "500".
 * @param minor a whole number of at least 0
 * @param currency ISO 4217, in capitals
 */
export function decimalAmount(minor: number, currency: string): string {
  const decimals = IN_UNITS.includes(currency) ? 0 : IN_THOUSANDTHS.includes(currency) ? 3 : 2
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
