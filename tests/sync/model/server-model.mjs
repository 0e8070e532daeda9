// @ts-nocheck
import { cl, cpMut, PAIRS, V } from './basics.mjs'

const newList = () => ({ held: null, steps: [], told: null, whole: undefined })

/** The server, and who is signed in. Values only, one call one transaction. */
export class ServerModel {
  constructor(h, F) {
    this.h = h
    this.F = F
    this.T = 1e9
    this.off = 0
    this.maxw = h.cfg.maxw
    this.pages = h.cfg.pages
    this.trace = []
    this.S = { acc: {}, tok: {}, fam: {}, nid: 1, exec: new Map(), order: {} }
    this.procs = []
    this.net = []
    this.locks = {}
    this.faults = []
    this.offline = false
    this.store = -1
    this.rows = {}
    this.box = []
    this.ids = {}
    this.rev = {}
    this.paused = {}
    this.seq = 1
    this.opn = 1
    this.cmds = []
    this.failedLog = []
    this.cause = {}
    this.seen = {}
    this.lastPull = {}
    this.pageTimer = Infinity
    this.nextTick = this.T + 75e3
    this.dev2 = false
    this.req60 = {}
    this.faulty = true
    this.steps = 0
    this.final = false
    this.stuck = new Set()
    this.givenUp = new Set()
    /** Operations that were sent and then discarded: each may still arrive. */
    this.discardedOps = new Set()
    for (const o of ['anon', 'u1', 'u2']) {
      this.S.acc[o] = { w: [], keys: new Map(), max: this.maxw, rev: 0 }
      this.rows[o] = []
      this.rev[o] = 0
    }
    for (const o of ['u1', 'anon']) {
      for (let i = 0; i < h.cfg.start; i++)
        this.S.acc[o].w.push({ id: 'w' + this.S.nid++, pair: i, thr: 0, cps: [], by: null })
      if (o === 'anon' || h.cfg.user) this.rows[o] = JSON.parse(JSON.stringify(this.S.acc[o].w))
    }
    /** How the client follows the revisions of each owner's list, and the open stream with the revisions on their way. */
    this.list = { anon: newList(), u1: newList(), u2: newList() }
    this.stream = null
    this.streamFrom = 0
    this.session = { owner: 'anon' }
    if (h.cfg.user) this.login('u1')
  }
  now() {
    return this.T + this.off
  }
  log(m) {
    if (this.trace) this.trace.push(m)
  }
  newTok(o) {
    const t = 't' + this.S.nid++
    this.S.tok[t] = { o, exp: this.T + 15 * 6e4 }
    return t
  }
  sLogin(o) {
    const f = 'f' + this.S.nid++
    this.S.fam[f] = { o, used: {}, rev: false }
    return { access: this.newTok(o), fam: f, r: 0 }
  }
  sRefresh(fam, r) {
    const f = this.S.fam[fam]
    if (f.rev) return { status: 401, code: 'INVALID_REFRESH_TOKEN' }
    if (f.used[r + 1] !== undefined && this.T > f.used[r + 1] + 6e4) {
      f.rev = true
      return { status: 401, code: 'INVALID_REFRESH_TOKEN' }
    }
    if (f.used[r] === undefined) f.used[r] = this.T
    return { status: 200, access: this.newTok(f.o), r: r + 1 }
  }
  sreq(q) {
    // one transaction
    if (q.kind === 'refresh') return this.sRefresh(q.fam, q.r)
    let o
    if (q.tok) {
      const t = this.S.tok[q.tok]
      if (!t) return { status: 401, code: 'INVALID_TOKEN' }
      if (this.T >= t.exp) return { status: 401, code: 'TOKEN_EXPIRED' }
      o = t.o
    } else o = q.anon
    if (o !== q.metaOwner) throw new V(5, `${q.kind} of ${q.metaOwner} executed as ${o}`)
    const A = this.S.acc[o]
    if (q.kind === 'GET' && q.known === A.rev) return { status: 304 }
    if (q.kind === 'GET') return { status: 200, list: JSON.parse(JSON.stringify(A.w)), rev: A.rev }
    return this.mut(o, A, q)
  }
  mut(o, A, q) {
    const k = q.op,
      b = JSON.stringify(q.body),
      create = q.kind === 'wCreate' || q.kind === 'cCreate'
    const K = A.keys.get(k)
    if (K) {
      if (K.body !== b) return { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' }
      if (create) {
        const w = A.w.find((x) => x.by === k)
        if (w) return { status: 201, w: cl(w) }
        for (const x of A.w) {
          const c = x.cps.find((c) => c.by === k)
          if (c) return { status: 201, c: cl(c), cps: cl(x.cps) }
        }
        return { status: 404, code: 'NOT_FOUND' }
      }
      if (this.F.freshReplay) {
        const w = A.w.find((x) => x.id === q.body.id)
        if (q.kind === 'wDel') return { status: 204, rep: 1 }
        if (q.kind === 'reorder') return { status: 200, list: cl(A.w), rep: 1 }
        if (!w) return { status: 200, gone: 1, rep: 1 }
        return { status: 200, w: cl(w), cps: cl(w.cps), rep: 1 }
      }
      return { ...cl(K.ans), rep: 1 }
    }
    const r = this.mut2(o, A, q)
    if (r.status < 300) {
      A.keys.set(k, { body: b, ans: cl(r) })
      r.step = this.raise(o)
      if (q.seq) {
        const n = (this.S.exec.get(k) || 0) + 1
        this.S.exec.set(k, n)
        this.S.execBody = this.S.execBody || {}
        this.S.execBody[k] = q.body
        if (n > 1) throw new V(1, 'executed twice ' + q.kind)
        if (q.kind !== 'reorder') {
          const wk = o + (q.kind === 'wCreate' ? r.w.id : q.body.id)
          const l = this.S.order[wk] || 0
          if (q.seq < l && !this.discardedOps.has(k))
            throw new V(3, `seq ${q.seq} (${q.kind}) after ${l} on one widget`)
          this.S.order[wk] = q.seq
        }
      }
      this.log(`  server did ${q.kind} ${b}`)
    }
    return r
  }
  /** Each change gives the list a revision that it never had, and an open stream names it. */
  raise(o, sign = 1) {
    const A = this.S.acc[o]
    const before = A.rev
    this.S.revs = (this.S.revs || 0) + 1
    A.rev = sign * this.S.revs
    if (this.stream?.owner === o) this.stream.queue.push(A.rev)
    return [before, A.rev]
  }
  mut2(o, A, q) {
    const B = q.body
    if (q.kind === 'wCreate') {
      const e = A.w.find((x) => x.pair === B.pair)
      if (e) return { status: 409, code: 'PAIR_EXISTS', w: cl(e) }
      if (A.w.length >= A.max) return { status: 403, code: 'WIDGET_LIMIT_REACHED' }
      const w = { id: 'w' + this.S.nid++, pair: B.pair, thr: 0, cps: [], by: q.op }
      A.w.push(w)
      return { status: 201, w: cl(w) }
    }
    if (q.kind === 'reorder') {
      const idx = new Map(A.w.map((w, i) => [w.id, i]))
      const ids = [...new Set(B.ids)].filter((i) => idx.has(i))
      if (!ids.length) return { status: 200, list: cl(A.w) }
      const act = new Set(A.w.slice(0, A.max).map((w) => w.id))
      let si = false
      for (const i of ids) {
        if (!act.has(i)) si = true
        else if (si) return { status: 409, code: 'FORBIDDEN_REORDER_MIX' }
      }
      const g = (f) => [...ids.filter(f), ...A.w.map((w) => w.id).filter((i) => f(i) && !ids.includes(i))]
      const ord = [...g((i) => act.has(i)), ...g((i) => !act.has(i))]
      A.w = ord.map((i) => A.w.find((w) => w.id === i))
      return { status: 200, list: cl(A.w) }
    }
    const w = A.w.find((x) => x.id === B.id)
    if (!w) return { status: 404, code: 'NOT_FOUND' }
    if (q.kind === 'wUpd') {
      w.thr = B.v
      return { status: 200, w: cl(w) }
    }
    if (q.kind === 'wDel') {
      A.w = A.w.filter((x) => x !== w)
      return { status: 204 }
    }
    return cpMut(w.cps, q.kind, B, () => 'c' + this.S.nid++, q.op)
  }
  dev2op(k, a, b) {
    const o = ['u1', 'u2'][this.session.owner === 'u2' ? 1 : 0],
      A = this.S.acc[o]
    this.dev2 = true
    const w = A.w[a % Math.max(1, A.w.length)]
    let q
    if (k === 0) q = { kind: 'wCreate', body: { pair: b % PAIRS } }
    else if (!w) return
    else if (k === 1) q = { kind: 'wDel', body: { id: w.id } }
    else if (k === 2) q = { kind: 'wUpd', body: { id: w.id, v: 1000 + (b % 97) } }
    else if (k === 3) {
      const ids = A.w.slice(0, A.max).map((x) => x.id)
      ids.push(ids.shift())
      q = { kind: 'reorder', body: { ids } }
    } else if (k === 4) q = { kind: 'cCreate', body: { id: w.id, ratio: b % 50, def: true } }
    else if (k === 5 && w.cps.length) q = { kind: 'cDel', body: { id: w.id, cp: w.cps[0].id } }
    else return
    q.op = 'd2-' + this.S.nid++
    const r = this.mut(o, A, q)
    this.log(`device2(${o}) ${q.kind} ${JSON.stringify(q.body)} -> ${r.status}`)
    if (q.kind === 'wCreate' && r.w) this.bump(o, r.w.id)
    if (q.body.id) this.bump(o, q.body.id)
    this.bump(o, '*')
  }
  bump(o, k) {
    const m = (this.cause[o] = this.cause[o] || {})
    m[k] = (m[k] || 0) + 1
  }
  login(o) {
    const s = this.sLogin(o)
    this.session = { owner: o, access: s.access, fam: s.fam, r: s.r }
    this.paused[o] = false
    this.lastPull[o] = undefined
    this.seen = {}
  }
  logout() {
    const o = this.session.owner
    if (o === 'anon') return
    this.rows[o] = []
    this.list[o] = newList()
    if (this.F.logoutApply) this.rev[o]++
    this.session = { owner: 'anon' }
    this.seen = {}
    this.lastPull.anon = undefined
  }
  /** The server loses one of the guest's widgets, or all of them with every key. */
  lose(a) {
    const A = this.S.acc.anon
    this.dev2 = true
    this.bump('anon', '*')
    const one = a % 2 === 0 ? A.w[a % Math.max(1, A.w.length)] : undefined
    this.log(`server loses ${one ? one.id : 'everything'} of the guest`)
    // As from a restored backup: a revision below the one before.
    this.raise('anon', -1)
    if (one) {
      A.w = A.w.filter((x) => x !== one)
      return
    }
    A.w = []
    A.keys.clear()
    for (const e of this.cmds.filter((x) => x.owner === 'anon')) {
      if (this.S.exec.delete(e.op) || !this.box.includes(e)) e.done404 = true
    }
  }
  canon(i) {
    let id = i
    while (this.ids[id]) id = this.ids[id]
    return id
  }
}
