// @ts-nocheck
import { argv } from 'node:process'
import { gen, runH, shrink, sigOf } from './generate.mjs'
import { RULES } from './rules.mjs'

/**
 * Plays histories with the seeds first … first + count - 1. Returns the kinds of violation found, each with its shortest
 * history; none if every invariant held.
 */
export function playModel(count, first = 1, without = []) {
  const rules = Object.fromEntries(RULES.map((rule) => [rule, !without.includes(rule)]))
  const found = new Map()
  for (let seed = first; seed < first + count; seed++) {
    const history = gen(seed)
    const { v } = runH(history, rules)
    if (v === null) continue
    const kind = sigOf(v)
    const known = found.get(kind)
    if (known === undefined || known.history.ops.length > history.ops.length)
      found.set(kind, { seed, history, times: (known?.times ?? 0) + 1 })
    else known.times++
  }
  return [...found].map(([kind, { seed, history, times }]) => {
    const short = shrink(history, rules, Number(kind.split(':')[0]), kind)
    const { v, s } = runH(short, rules, true)
    return { kind, times, seed, message: v.message, config: short.cfg, operations: short.ops.length, trace: s.trace }
  })
}

// node tests/sync/model/run.mjs [count] [first seed] [rules to leave out, by comma]
if (import.meta.filename === argv[1]) {
  const [count = '2000', first = '1', without = ''] = argv.slice(2)
  const found = playModel(Number(count), Number(first), without.split(',').filter(Boolean))
  const lines = found.map((one) => `${one.times} x ${one.message}, seed ${one.seed}\n${one.trace.join('\n')}\n`)
  process.stdout.write(`${lines.join('\n')}${count} histories from seed ${first}: ${found.length} kinds of violation\n`)
}
