// @ts-nocheck
import { V } from './basics.mjs'
import { ClientModel } from './client-model.mjs'

/** Processes, locks, requests with everything that can happen to them, and the session's refresh. */
export class NetworkModel extends ClientModel {
  ctxs() {
    return this.pages ? ['tab1', 'tab2'] : ['sw']
  }
  trigger(reason, ctx) {
    ctx = ctx || this.ctxs()[this.steps % this.ctxs().length]
    if (this.procs.filter((p) => p.ctx === ctx && p.name === 'sync').length >= 2) return
    this.spawn(ctx, 'sync', this.sync(ctx, reason))
  }
  spawn(ctx, name, gen) {
    const p = { ctx, name, gen, until: null, dead: false }
    this.procs.push(p)
    return p
  }
  kill(ctx) {
    for (const p of this.procs) if (p.ctx === ctx) p.dead = true
    this.procs = this.procs.filter((p) => !p.dead)
    for (const l in this.locks) if (this.locks[l] === ctx) delete this.locks[l]
    this.log('KILL ' + ctx)
  }
  *lock(n, ctx) {
    yield () => !this.locks[n]
    this.locks[n] = ctx
  }
  *fetch(q) {
    const r = { q, res: null, dl: this.T + 20e3, arr: 0, phase: 'go' }
    const key = q.op || q.kind
    this.req60[key] = (this.req60[key] || []).filter((t) => t > this.T - 6e4)
    this.req60[key].push(this.T)
    if (this.req60[key].length > 25) throw new V(6, `hot loop: ${key} ${q.kind} sent 25 times in 60 s`)
    if (this.offline) {
      yield null
      return { net: 1 }
    }
    if (this.limitUntil > this.T && !this.final) {
      yield null
      return { status: 429, ra: 900 }
    }
    r.fault = q.kind === 'refresh' ? this.rfaults && this.rfaults.shift() : this.faults.shift()
    if (q.anon && (r.fault === '401exp' || r.fault === '401inv')) r.fault = undefined
    if (!q.anon && r.fault === '401guest') r.fault = undefined
    if (r.fault === 'oldroute' && q.kind !== 'wCreate' && q.kind !== 'cCreate') r.fault = undefined
    if (this.stuckNext && q.op) {
      this.stuckNext = false
      this.stuck.add(q.op)
      this.log(`  the server cannot do ${q.op}`)
    }
    if (this.stuck.has(q.op)) r.fault = '500'
    if (r.fault) this.log(`  fault ${r.fault} on ${q.kind} ${q.op || ''}`)
    this.net.push(r)
    yield () => r.res || this.T >= r.dl
    return r.res || { net: 1 }
  }
  netStep(r) {
    const f = r.fault
    const rm = () => (this.net = this.net.filter((x) => x !== r))
    if (r.phase === 'go') {
      if (f === 'lostReq') {
        r.res = { net: 1 }
        return rm()
      }
      if (
        f === '500' ||
        f === '429' ||
        f === '429long' ||
        f === 'html' ||
        f === '401nocode' ||
        f === '401inv' ||
        f === '401exp' ||
        f === '401guest' ||
        f === 'noroute' ||
        f === 'oldroute' ||
        f === 'newcode'
      ) {
        r.res = {
          500: { status: 500 },
          429: { status: 429, ra: 30 },
          '429long': { status: 429, ra: 900 },
          html: { status: 200, bad: 1 },
          '401nocode': { status: 401 },
          '401inv': { status: 401, code: 'INVALID_TOKEN' },
          '401exp': { status: 401, code: 'TOKEN_EXPIRED' },
          '401guest': { status: 401, code: 'UNAUTHENTICATED' },
          noroute: { status: 404, code: 'NO_SUCH_ROUTE' },
          oldroute: { status: 404, code: 'NOT_FOUND' },
          newcode: { status: 409, code: 'NEWER' },
        }[f]
        return rm()
      }
      if (f === 'lateReq') {
        r.phase = 'late'
        r.lateAt = this.T + 25e3
        r.lateSteps = 5
        return
      }
      r.ans = this.sreq(r.q)
      if (f === 'lostAns') {
        r.res = { net: 1 }
        return rm()
      }
      if (f === 'lateAns') {
        return rm()
      } // client times out
      if (f === 'dup') {
        r.phase = 'dup'
        r.res = r.ans
        r.lateAt = this.T + 5e3
        return
      }
      r.phase = 'back'
      return
    }
    if (r.phase === 'back') {
      r.res = r.ans
      return rm()
    }
    if (r.phase === 'late' || r.phase === 'dup') {
      this.log('  late copy of ' + r.q.kind + ' ' + r.q.op + ' arrives')
      this.sreq(r.q)
      return rm()
    }
  }
  netReady(r) {
    return r.phase === 'go' || r.phase === 'back' || this.T >= r.lateAt
  }
  *refresh(owner, tok, ctx) {
    yield* this.lock('token-refresh', ctx)
    try {
      const s = { ...this.session }
      yield null
      if (this.F.refreshOwner && s.owner !== owner) return { owner: 1 }
      if (s.access !== tok && s.access) return { tok: s.access } // somebody refreshed already
      if (!s.fam) return this.F.refreshOwner ? { owner: 1 } : { anon: s.owner }
      const r = yield* this.fetch({ kind: 'refresh', fam: s.fam, r: s.r, metaOwner: owner })
      if (r.net || r.status >= 500 || r.status === 429 || r.bad || (!r.code && r.status !== 200)) return { net: 1 }
      if (r.status === 401) return { dead: 1 }
      this.tx('session write')
      if (this.F.sessionCAS && (this.session.fam !== s.fam || this.session.r !== s.r)) return { owner: 1 }
      this.session = { ...(this.F.sessionCAS ? this.session : s), access: r.access, r: r.r }
      if (this.session.owner !== this.truthOwner)
        throw new V(5, `refresh answer of ${s.owner} overwrote the session of ${this.truthOwner}`)
      return { tok: r.access }
    } finally {
      if (this.locks['token-refresh'] === ctx) delete this.locks['token-refresh']
    }
  }
  get truthOwner() {
    return this._to
  }
  *authed(q, owner, ctx) {
    const s = this.session
    if (owner !== 'anon') {
      if (s.owner !== owner) return { owner: 1 }
      q.tok = s.access
    } else q.anon = 'anon'
    q.metaOwner = owner
    let r = yield* this.fetch({ ...q })
    if (r.status === 401 && r.code === 'TOKEN_EXPIRED' && owner !== 'anon') {
      const t = yield* this.refresh(owner, q.tok, ctx)
      if (t.net) return { net: 1 }
      if (t.owner) return { owner: 1 }
      if (t.dead) return { status: 401, code: 'INVALID_REFRESH_TOKEN' }
      q.tok = t.tok
      if (t.anon) {
        delete q.tok
        q.anon = t.anon
      }
      r = yield* this.fetch({ ...q })
      if (this.F.exp2 && r.code === 'TOKEN_EXPIRED') return { net: 1 }
    }
    return r
  }
}
