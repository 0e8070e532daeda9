import type { Limits } from './tier-limits'

interface CoinPair {
  readonly coinA: string
  readonly coinB: string
}

export interface NewPair extends CoinPair {
  readonly label: string
  /** Inactive ones too. */
  readonly existing: readonly CoinPair[]
  readonly limits: Limits
}

/** The sentence that refuses any further pair, or null while there is room; inactive widgets count too. */
export function checkRoomForPair(count: number, { max_widgets: max }: Limits): string | null {
  if (count < max) return null
  const refusal = `Maximum number of widgets (${max}) reached for your account tier.`
  return max > 3 ? `${refusal} Upgrade to add more widgets.` : refusal
}

/** The sentence that refuses the pair, or null. A / B and B / A are two pairs. */
export function checkNewPair({ coinA, coinB, label, existing, limits }: NewPair): string | null {
  const noRoom = checkRoomForPair(existing.length, limits)
  if (noRoom !== null) return noRoom
  const exists = existing.some((pair) => pair.coinA === coinA && pair.coinB === coinB)
  if (exists) return `The exact pair ${label} already exists.`
  return coinA === coinB ? 'Base and Quote cryptocurrencies cannot be the same.' : null
}
