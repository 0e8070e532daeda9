// @ts-nocheck
export function rng(s) {
  s = (s * 2654435761) >>> 0 || 1
  return () => {
    s |= 0
    s = (s + 0x6d2b79f5) | 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
export class V extends Error {
  constructor(inv, msg) {
    super(inv + ': ' + msg)
    this.inv = inv
    this.vmsg = msg
  }
}
export class StorErr extends Error {}
export const MAXC = 3
export const PAIRS = 6
export function cl(x) {
  return JSON.parse(JSON.stringify(x))
}
export function ovOrder(L, ids, max) {
  const act = new Set(L.slice(0, max).map((w) => w.id))
  const g = (f) => [
    ...ids.filter((i) => f(i) && L.some((w) => w.id === i)),
    ...L.map((w) => w.id).filter((i) => f(i) && !ids.includes(i)),
  ]
  return [...g((i) => act.has(i)), ...g((i) => !act.has(i))].map((i) => L.find((w) => w.id === i))
}
export function cpMut(cps, kind, B, nid, op, local) {
  const ok = () => ({ status: 200, cps: cl(cps) })
  const fix = () => {
    if (cps.length && !cps.some((c) => c.def)) cps[cps.length - 1].def = true
  }
  if (kind === 'cCreate') {
    if (!local && cps.length >= MAXC) return { status: 403, code: 'CHECKPOINT_LIMIT_REACHED' }
    if (B.def) for (const c of cps) c.def = false
    const c = { id: nid(), ratio: B.ratio, def: !!B.def, by: op }
    cps.push(c)
    return { status: 201, c: cl(c), cps: cl(cps) }
  }
  const f = (i) => cps.findIndex((c) => c.id === i)
  if (kind === 'cUpd') {
    const i = f(B.cp)
    if (i < 0) return { status: 404, code: 'NOT_FOUND' }
    cps[i].ratio = B.v
    return { status: 200, cps: cl(cps) }
  }
  if (kind === 'cDel') {
    const i = f(B.cp)
    if (i < 0) return { status: 404, code: 'NOT_FOUND' }
    cps.splice(i, 1)
    fix()
    return ok()
  }
  if (kind === 'cDelMany') {
    for (const x of B.cps) {
      const i = f(x)
      if (i >= 0) cps.splice(i, 1)
    }
    fix()
    return ok()
  }
  if (kind === 'cReorder') {
    const o = B.cps.map((i) => cps.find((c) => c.id === i)).filter(Boolean)
    const rest = cps.filter((c) => !o.includes(c))
    cps.splice(0, cps.length, ...o, ...rest)
    return ok()
  }
  if (kind === 'cDef') {
    const i = f(B.cp)
    if (i < 0) return { status: 404, code: 'NOT_FOUND' }
    for (const c of cps) c.def = false
    cps[i].def = true
    return ok()
  }
}
