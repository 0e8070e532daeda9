import { seeded } from './seeded'

/** One answer of a provider, in CoinGecko's form and as bad as those can be, and when it came. */
export interface TapeStep {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly answer: Readonly<Record<string, unknown>>
}

export interface TapedWidget {
  readonly coin_a_id: string
  readonly coin_b_id: string
  readonly high_threshold: number | null
  readonly low_threshold: number | null
  readonly alert_margin: number
  readonly alert_hold_minutes: number
  /** Its owner wants to hear of extremes. */
  readonly extremes: boolean
}

const MINUTE = 60_000
export const TAPE_START = Date.UTC(2026, 0, 15, 12)
export const TAPE_COINS: readonly string[] = Array.from({ length: 12 }, (_, i) => `coin-${i}`)

/** Whole numbers, so that ratios now and then stand upon a threshold. */
const priceAt = (wander: number): number => Math.round(40 * Math.exp(wander))

/**
 * Updates a minute apart: prices that wander around where they began, answers that came before, coins that are missing,
 * for once or for a quarter of an hour, or are as old as that for so long, values that are none, and pauses.
 */
export function alertTape(seed: number, length: number): TapeStep[] {
  const random = seeded(seed)
  const chance = (share: number): boolean => random() < share
  const state = TAPE_COINS.map(() => ({ wander: 0, missing: 0, old: 0, newest: TAPE_START }))
  const steps: TapeStep[] = []
  let now = TAPE_START
  for (let step = 0; step < length; step++) {
    now += chance(0.002) ? 30 * MINUTE : MINUTE
    const last = steps.at(-1)
    if (last !== undefined && chance(0.05)) {
      steps.push({ now, answer: last.answer })
      continue
    }
    const answer: Record<string, unknown> = {}
    for (const [index, coin] of state.entries()) {
      coin.wander = 0.985 * coin.wander + 0.02 * (random() + random() + random() - 1.5)
      coin.missing = chance(0.003) ? 15 : Math.max(0, coin.missing - 1)
      coin.old = chance(0.003) ? 15 : Math.max(0, coin.old - 1)
      if (coin.old === 0) coin.newest = now
      if (coin.missing > 0 || chance(0.08)) continue
      const bad = chance(0.02) ? [null, NaN, -1, Infinity, '7', {}][Math.floor(random() * 6)] : undefined
      const usd = bad === undefined ? (chance(0.001) ? 0 : priceAt(coin.wander)) : bad
      const last_updated_at = chance(0.05) ? null : coin.newest / 1000
      answer[TAPE_COINS[index]!] = { usd, last_updated_at }
    }
    steps.push({ now, answer })
  }
  return steps
}

/** Pairs of the coins on the tape, with thresholds that their ratios cross now and then; some have none. Half have no margin, half no hold. */
export function tapedWidgets(seed: number, count: number): TapedWidget[] {
  const random = seeded(seed + 1)
  const pick = (): number => Math.floor(random() * TAPE_COINS.length)
  const threshold = (): number | null => (random() < 0.1 ? null : priceAt((random() - 0.5) / 2) / priceAt(0))
  return Array.from({ length: count }, () => {
    const a = pick()
    const b = (a + 1 + Math.floor(random() * (TAPE_COINS.length - 1))) % TAPE_COINS.length
    return {
      coin_a_id: TAPE_COINS[a]!,
      coin_b_id: TAPE_COINS[b]!,
      high_threshold: threshold(),
      low_threshold: threshold(),
      alert_margin: pick() % 2 === 0 ? 0 : 0.03,
      alert_hold_minutes: pick() % 2 === 0 ? 0 : 1 + (pick() % 4),
      extremes: pick() % 4 === 0,
    }
  })
}
