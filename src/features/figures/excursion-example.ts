import { excursionsOf } from '../../domain/excursions'

/* A drawn excursion of a made-up ratio, with its rolling average and the lines beyond which one begins, of 30 days each. */

const WINDOW = 30
/** Days before the drawing, of which its first averages are. */
const BEFORE = 40

/** Quiet swings with one high that goes on and comes back. */
const RATIOS: readonly number[] = Array.from({ length: 116 }, (_, day) => {
  const quiet = 26 + 0.4 * Math.sin(day / 1.7) + 0.25 * Math.sin(day / 4.1 + 1)
  return day < 58 || day > 78 ? quiet : quiet + 2.4 * Math.sin((Math.PI * (day - 58)) / 20) ** 0.7
})

const lines = RATIOS.map((_, day) => {
  const logs = RATIOS.slice(Math.max(0, day - WINDOW), day).map(Math.log)
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const squares = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const reach = 2 * Math.sqrt(squares / (logs.length - 1))
  return { average: Math.exp(mean), upper: Math.exp(mean + reach), lower: Math.exp(mean - reach) }
})

const closes = RATIOS.slice(0, -1)
const found = excursionsOf({ a: closes, b: closes.map(() => 1) }, { a: RATIOS.at(-1)!, b: 1 }, WINDOW, 'high')!
const begin = RATIOS.findIndex((ratio, day) => day >= BEFORE && ratio > lines[day]!.upper)

/** The drawn part; `begin` and `end` are its indices. */
export const EXCURSION = {
  ratios: RATIOS.slice(BEFORE),
  average: lines.slice(BEFORE).map(({ average }) => average),
  upper: lines.slice(BEFORE).map(({ upper }) => upper),
  lower: lines.slice(BEFORE).map(({ lower }) => lower),
  count: found.count,
  days: found.medianDays!,
  furtherBy: found.worstMove!,
  begin: begin - BEFORE,
  end: begin - BEFORE + found.medianDays!,
}
