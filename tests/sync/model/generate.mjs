// @ts-nocheck
import { rng } from './basics.mjs'
import { HistoryModel } from './history-model.mjs'

const FA = [
  'lostReq',
  'lostAns',
  'lostAns',
  'lateReq',
  'lateAns',
  'dup',
  '500',
  '429',
  '429long',
  'html',
  '401nocode',
  '401inv',
  '401exp',
]
/** Answers of other versions, proxies and half deployments. */
const NEW_FAULTS = ['401guest', '401guest', 'noroute', 'oldroute', 'newcode']
export function gen(seed) {
  const R = rng(seed),
    ri = (n) => Math.floor(R() * n)
  const maxw = 3
  const cfg = { maxw, pages: R() < 0.25, start: ri(3) + (R() < 0.2 ? 2 : 0), user: R() < 0.7 }
  const n = 3 + ri(23)
  const ops = []
  const noDev2 = R() < 0.4
  for (let i = 0; i < n; i++) {
    let p = R()
    const foc = seed % 5
    if (foc === 1 && R() < 0.15) p = [0.92, 0.925, 0.937, 0.96, 0.975, 0.985, 0.975][ri(7)]
    if (foc === 2 && R() < 0.12) p = [0.945, 0.945, 0.75, 0.91, 0.77 - 1e-9][ri(5)]
    const s = ri(1e6),
      a = ri(1000),
      b = ri(1000)
    const special = foc === 4 && R() < 0.2 ? 1 + ri(5) : R() < 0.03 ? 1 + ri(5) : 0
    if (special === 1) ops.push({ t: 'fault', f: NEW_FAULTS[ri(NEW_FAULTS.length)], s })
    else if (special === 2) ops.push({ t: 'stuck', s })
    else if (special === 3) ops.push({ t: 'loss', a, s })
    else if (special === 4) ops.push({ t: 'answerLoss', a, s })
    else if (special === 5) ops.push({ t: 'discard', a, s })
    else if (p < 0.4)
      ops.push({
        t: 'cmd',
        k: ['add', 'add', 'rm', 'thr', 'thr', 'reorder', 'reorder', 'cAdd', 'cUpd', 'cDel', 'pop'][ri(11)],
        a,
        b,
        s,
      })
    else if (p < 0.62) ops.push({ t: 'run', n: 1 + ri(12), s })
    else if (p < 0.73) ops.push({ t: 'fault', f: FA[ri(FA.length)], s })
    else if (p < 0.76) ops.push({ t: 'kill', a, s })
    else if (p < 0.77) ops.push({ t: a % 3 ? 'retry' : 'discard', a: b, s })
    else if (p < 0.83) {
      if (!noDev2) ops.push({ t: 'dev2', a, b, s })
    } else if (p < 0.9) ops.push({ t: 'time', d: [1000, 5000, 25000, 80000, 4e5, 25e5][ri(6)], s })
    else if (p < 0.915) ops.push({ t: 'jump', d: [-3 * 864e5, -6e5, -6e4, 6e4, 864e5][ri(5)], s })
    else if (p < 0.935) ops.push({ t: 'exp', s })
    else if (p < 0.94) ops.push({ t: 'rfault', f: ['lostAns', 'lostReq', '500', 'lateReq'][ri(4)], s })
    else if (p < 0.95) ops.push({ t: 'store', a, s })
    else if (p < 0.965) ops.push({ t: 'off', a, s })
    else if (p < 0.98) ops.push({ t: 'login', a, s })
    else if (p < 0.99) ops.push({ t: 'logout', s })
    else ops.push({ t: 'tick', s })
  }
  return seed % 3 === 2 ? withStream(seed, { cfg, ops }) : { cfg, ops }
}
/** A third of the histories follow a stream that is cut now and then; the others stay as they were without. */
function withStream(seed, { cfg, ops }) {
  const R = rng(seed + 1e7)
  const some = ops.flatMap((op) => (R() < 0.25 ? [{ t: 'cut', s: Math.floor(R() * 1e6) }, op] : [op]))
  return { cfg: { ...cfg, stream: true }, ops: some }
}
export function runH(h, F, tr) {
  const s = new HistoryModel(h, F)
  if (!tr) s.trace = null
  const v = s.run()
  return { v, s }
}
export function shrink(h, F, inv, sig) {
  let cur = h,
    ch = true,
    n = 0
  const bad = (x) => {
    n++
    const r = runH(x, F).v
    return r && r.inv === inv && sigOf(r) === sig
  }
  while (ch) {
    if (n >= 3000) break
    ch = false
    for (let i = cur.ops.length - 1; i >= 0; i--) {
      const c = { cfg: cur.cfg, ops: cur.ops.filter((_, j) => j !== i) }
      if (bad(c)) {
        cur = c
        ch = true
      }
    }
    for (let i = 0; i < cur.ops.length; i++) {
      const o = cur.ops[i]
      if (o.t === 'run' && o.n > 1) {
        for (const n2 of [1, 2, 3, o.n - 1]) {
          if (n2 >= o.n) continue
          const c = { cfg: cur.cfg, ops: cur.ops.map((y, j) => (j === i ? { ...y, n: n2 } : y)) }
          if (bad(c)) {
            cur = c
            ch = true
            break
          }
        }
      }
    }
    for (const cf of [
      { ...cur.cfg, start: Math.max(0, cur.cfg.start - 1) },
      { ...cur.cfg, pages: false },
    ]) {
      if (JSON.stringify(cf) !== JSON.stringify(cur.cfg)) {
        const c = { cfg: cf, ops: cur.ops }
        if (bad(c)) {
          cur = c
          ch = true
        }
      }
    }
  }
  return cur
}
export function sigOf(v) {
  return (
    v.inv +
    ':' +
    v.vmsg
      .replace(/\b(op|w|c|g|t|f)\d+\b/g, '#')
      .replace(/temp-(cp-)?\d+/g, 'T')
      .replace(/\[.*\]|\{.*?\}/g, '')
      .replace(/\d+/g, 'n')
      .slice(0, 70)
  )
}
