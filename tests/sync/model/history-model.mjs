// @ts-nocheck
import { rng, V } from './basics.mjs'
import { EngineModel } from './engine-model.mjs'

/** Plays one history and checks that it ends well. */
export class HistoryModel extends EngineModel {
  stepOne(R) {
    const rp = this.procs.filter((p) => !p.until || p.until())
    const rn = this.net.filter((r) => this.netReady(r))
    const n = rp.length + rn.length + (this.streamReady() ? 1 : 0)
    if (!n) return false
    const i = Math.floor(R() * n)
    this.steps++
    if (i === rp.length + rn.length) this.streamStep()
    else if (i < rp.length) {
      const p = rp[i]
      p.until = null
      const x = p.gen.next()
      if (x.done) this.procs = this.procs.filter((q) => q !== p)
      else p.until = x.value
    } else this.netStep(rn[i - rp.length])
    this.followWork()
    this.check()
    return true
  }
  advance(dt, R) {
    const end = this.T + dt
    let g = 0
    while (this.T < end) {
      let nx = Math.min(end, this.nextTick, this.pageTimer)
      for (const r of this.net) {
        if (r.dl > this.T) nx = Math.min(nx, r.dl)
        if (r.lateAt > this.T) nx = Math.min(nx, r.lateAt)
      }
      if (this.streamFrom > this.T) nx = Math.min(nx, this.streamFrom)
      this.T = Math.max(this.T, nx)
      if (this.T >= this.pageTimer) {
        this.pageTimer = Infinity
        this.trigger('due')
      }
      if (this.T >= this.nextTick) {
        this.nextTick = this.T + 75e3
        for (const c of this.ctxs()) this.trigger('tick', c)
      }
      let k = 0
      while (this.stepOne(R)) if (++k > 5000) throw new V(6, 'endless loop')
      if (++g > 4000) throw new V(6, 'endless timers')
    }
  }
  namesTemp(y, c) {
    return (
      c.temp &&
      !this.ids[c.temp] &&
      (y.body.id === c.temp || y.body.cp === c.temp || (y.body.cps || []).includes(c.temp))
    )
  }
  closure(e, all, joins) {
    const S = new Set([e])
    for (let ch = true; ch;) {
      ch = false
      for (const y of all)
        if (!S.has(y) && [...S].some((z) => joins(y, z))) {
          S.add(y)
          ch = true
        }
    }
    return S
  }
  retry(x) {
    const fs = this.box.filter((e) => e.state === 'failed' && e.owner === this.session.owner)
    if (!fs.length) return
    const group = (y, z) => y.group && y.group === z.group
    const S = this.closure(
      fs[x.a % fs.length],
      this.F.retryAll ? fs : [],
      (y, z) => this.namesTemp(z, y) || group(y, z),
    )
    this.bump(this.session.owner, '*')
    this.log('user retries ' + [...S].map((y) => y.op))
    for (const y of fs.toSorted((p, q) => p.op.slice(2) - q.op.slice(2)))
      if (S.has(y)) {
        y.state = 'waiting'
        y.nb = 0
        y.passable = false
        if (this.F.retryAll) {
          y.seq = this.seq++
          y.att = y.att || 1
          this.box = [...this.box.filter((z) => z !== y), y]
        }
      }
    this.failedLog = this.failedLog.map((f) => ({ ...f, code: 'NOT_FOUND', relogin: 1 }))
    this.trigger('command')
  }
  /** Anything that is not under way can be given up, with what builds on it and the unsent rest of its group. */
  discard(x) {
    const o = this.session.owner
    const all = this.box.filter((e) => e.state !== 'leased' && e.owner === o)
    if (!all.length) return
    const rest = (y, z) =>
      this.F.groupDiscard && y.group && y.group === z.group && (y.state === 'failed' || y.att === 0)
    const depends = (y, z) => this.F.discardDeps && this.namesTemp(y, z)
    const S = this.closure(all[x.a % all.length], all, (y, z) => depends(y, z) || rest(y, z))
    this.bump(o, '*')
    this.log('user discards ' + [...S].map((y) => y.op))
    for (const y of S) {
      this.box = this.box.filter((z) => z !== y)
      y.superseded = true
      // A pair that stays after all may be another's of the tier's limit, and an order made without it mixes the two groups.
      if (y.kind === 'wDel') this.keptPair = true
      if (y.state === 'failed' || y.att === 0) continue
      this.forcePull = true
      this.discardedOps.add(y.op)
      // The next list may bring it back, for good.
      this.forgetSeen = true
      if (y.kind === 'wDel') this.givenUp.add(this.canon(y.body.id))
    }
    const temps = [...S].map((y) => y.temp).filter(Boolean)
    for (const e of this.box)
      for (const k of ['ids', 'cps'])
        if (e.att === 0 && e.body[k]) e.body = { ...e.body, [k]: e.body[k].filter((i) => !temps.includes(i)) }
    const groups = new Set([...S].map((y) => y.group).filter(Boolean))
    if (this.box.some((e) => groups.has(e.group) && e.att === 0 && e.state === 'waiting'))
      throw new V(10, 'a group was discarded in part')
    this.failedLog = this.failedLog.map((f) => ({ ...f, code: 'NOT_FOUND', relogin: 1 }))
    this.trigger('command')
  }
  op(x) {
    const R = rng(x.s + 7)
    this._to = this.session.owner
    switch (x.t) {
      case 'cmd':
        this._to = this.session.owner
        this.cmd(x.k, x.a, x.b)
        break
      case 'retry':
        this.retry(x)
        break
      case 'discard':
        this.discard(x)
        break
      case 'stuck':
        this.stuckNext = true
        break
      case 'loss':
        this.lose(x.a)
        break
      case 'answerLoss':
        this.answerLoss(x.a)
        break
      case 'run':
        for (let i = 0; i < x.n; i++) if (!this.stepOne(R)) break
        break
      case 'fault':
        this.log('inject ' + x.f)
        this.faults.push(x.f)
        break
      case 'rfault':
        ;(this.rfaults = this.rfaults || []).push(x.f)
        break
      case 'kill': {
        const c = this.ctxs()
        this.kill(c[x.a % c.length])
        break
      }
      case 'dev2':
        this.dev2op(x.a % 6, x.b, x.s)
        break
      case 'time':
        this.log('time +' + x.d / 1000 + 's')
        this.advance(x.d, R)
        break
      case 'jump':
        this.off += x.d
        this.log('clock jump ' + x.d / 1000 + 's')
        break
      case 'exp':
        for (const t in this.S.tok) this.S.tok[t].exp = Math.min(this.S.tok[t].exp, this.T)
        this.log('access tokens expire')
        break
      case 'store':
        this.store = 1 + (x.a % 4)
        break
      case 'off':
        this.offline = !!(x.a % 2)
        if (this.offline) this.cut()
        this.log('offline=' + this.offline)
        if (!this.offline) this.trigger('online')
        break
      case 'login':
        if (!this.offline && this.session.owner === 'anon') {
          this.login(x.a % 3 === 2 ? 'u2' : 'u1')
          this.log('login ' + this.session.owner)
          this.trigger('online')
        }
        break
      case 'logout':
        if (this.session.owner !== 'anon') {
          this.log('logout ' + this.session.owner)
          this.logout()
          this.trigger('online')
        }
        break
      case 'limit':
        this.limitUntil = this.T + 6e5
        this.log('server answers 429 Retry-After: 900 to all for 10 min')
        break
      case 'cut':
        this.cut()
        break
      case 'tick':
        for (const c of this.ctxs()) this.trigger('tick', c)
        break
    }
    this._to = this.session.owner
    this.check()
  }
  run() {
    try {
      for (const x of this.h.ops) this.op(x)
      this.finish()
    } catch (e) {
      if (e instanceof V) return e
      throw e
    }
    return null
  }
  comeToRest(R) {
    this.advance(20 * 6e4, R)
    this.trigger('tick')
    this.advance(200e3, R)
  }
  /** While the server goes on failing at what it cannot do, everything else arrives that does not build on it. */
  checkNothingBlocks(o, R) {
    const mine = (e) => e.owner === o && e.state !== 'failed'
    const stuck = this.box.filter((e) => mine(e) && this.stuck.has(e.op))
    if (stuck.length) {
      this.advance(4 * 36e5, R)
      const keys = new Set([...stuck.map((e) => this.wkey(e)).filter(Boolean), ...this.lostIds(o)])
      const isSecond = (e) =>
        e.kind === 'wCreate' && stuck.some((p) => p.kind === 'wCreate' && p.body.pair === e.body.pair)
      const isFree = (e) => !this.stuck.has(e.op) && !keys.has(this.wkey(e)) && this.resolved(e) && !isSecond(e)
      const seconds = new Set(this.box.filter((e) => mine(e) && isSecond(e)).map((e) => e.seq))
      // An entry that stands behind a second addition of the same pair waits with that addition.
      const free = this.box.filter((e) => mine(e) && isFree(e) && ![...seconds].some((seq) => seq < e.seq))
      if (free.length)
        throw new V(9, `${free[0].op} ${free[0].kind} waits for ever for ${stuck.map((e) => e.kind).join()}`)
    }
    this.stuck.clear()
    this.stuckNext = false
  }
  finish() {
    this.log('--- faults stop')
    this.faults = []
    this.rfaults = []
    this.store = -1
    this.offline = false
    this.final = true
    const R = rng(99)
    const used = new Set(this.cmds.map((c) => c.owner))
    used.add(this.session.owner)
    const list = [this.session.owner, ...['anon', 'u1', 'u2'].filter((o) => o !== this.session.owner && used.has(o))]
    for (const o of list) {
      if (this.session.owner !== o) {
        this.logout()
        if (o !== 'anon') this.login(o)
      } else if (o !== 'anon' && (this.paused[o] || this.S.fam[this.session.fam].rev)) this.login(o)
      this._to = o
      this.lastScreen = null
      this.trigger('tick')
      this.advance(40e3, R)
      if (o !== 'anon' && (this.paused[o] || this.S.fam[this.session.fam].rev)) {
        this.login(o)
        this._to = o
        this.trigger('online')
      }
      this.checkNothingBlocks(o, R)
      this.comeToRest(R)
      for (const tries of [0, 1, 2]) {
        if (o !== 'anon' || !this.lostIds(o).length) break
        this.answerLoss(1 + tries)
        this.comeToRest(R)
      }
      for (const e of this.box)
        if (e.owner === o && e.state !== 'failed')
          throw new V(
            6,
            `${e.op} ${e.kind} ${JSON.stringify(e.body)} of ${o} never finishes (${e.state}${this.paused[o] ? ', queue paused' : ''}${this.resolved(e) ? '' : ', temp id never mapped'})`,
          )
      const nz = (l) => JSON.stringify(l.map((w) => [w.id, w.pair, w.thr, w.cps.map((c) => [c.id, c.ratio, c.def])]))
      const a = nz(this.overlay(o)),
        b = nz(this.S.acc[o].w)
      if (a !== b) throw new V(2, `screen ${a} server ${b}`)
    }
    for (const e of this.cmds) {
      const n = this.S.exec.get(e.op) || 0
      if (e.superseded) {
        continue
      }
      if (e.state === 'failed') {
        if (n && e.code !== 'NEWER' && !(e.code === 'NOT_FOUND') && !this.failedLog.some((f) => f.code === 'NOT_FOUND'))
          throw new V(1, `${e.kind} shown as refused but the server did it`)
        continue
      }
      if (n === 0 && !e.done404) throw new V(1, `lost: ${e.op} ${e.kind} ${JSON.stringify(e.body)}`)
      if (n && e.ver !== undefined && this.S.execBody[e.op].v !== e.ver)
        throw new V(1, `lost: ${e.op} ${e.kind} server got v=${this.S.execBody[e.op].v}, user's last was ${e.ver}`)
    }
    // An entry that goes past a removal that the server cannot do may find the place or the pair still taken.
    const passed = this.h.ops.some((x) => x.t === 'stuck')
    // A change that was refused by another version, or by an address that is not served, may come too late at a retry.
    const late = this.h.ops.some((x) => x.f === 'newcode' || x.f === 'oldroute')
    const fl = this.failedLog.filter(
      (f) =>
        f.code !== 'NEWER' &&
        !(this.keptPair && f.code.match(/LIMIT|MIX/)) &&
        !(passed && f.code.match(/LIMIT|EXISTS|MIX/)) &&
        // A discarded addition may have arrived, and takes its place; a discarded removal may have taken its pair away.
        !(this.discardedOps.size > 0 && f.code.match(/LIMIT|EXISTS|MIX|NOT_FOUND/)) &&
        !(late && f.code === 'NOT_FOUND') &&
        // Added while the list was not known, and found to be there, beyond the tier's limit.
        !(f.relogin && f.code.match(/LIMIT|NOT_FOUND|MIX/)),
    )
    if (!this.dev2 && fl.length)
      throw new V(8, `refused without any other device: ${JSON.stringify(this.failedLog[0])}`)
  }
}
