import { withDecimals } from './format-number'

const AT = 'at'

/** Such as "10.4 % below". @param leg logarithm of how far a price stands above its average */
function sideOf(leg: number): string {
  const distance = withDecimals(100 * Math.abs(Math.expm1(leg)), 1)
  return distance === '0.0' ? AT : `${distance}\u00A0% ${leg > 0 ? 'above' : 'below'}`
}

/**
 * Each coin beside its own average, so that one coin's rise is not taken for a swing of the pair: "ETH is 10.4 % below its
 * average of 90 days, BTC 6.3 % below".
 * @param symbols of coin A and coin B
 * @param days of the average
 */
export function legWords(
  [a, b]: readonly [a: string, b: string],
  legs: { readonly a: number; readonly b: number },
  days: number,
  stands: 'is' | 'was' = 'is',
): string {
  const [sideOfA, sideOfB] = [sideOf(legs.a), sideOf(legs.b)]
  return `${a} ${stands} ${sideOfA} its average of ${days}\u00A0days, ${b} ${sideOfB}${sideOfB === AT ? ' its own' : ''}`
}
