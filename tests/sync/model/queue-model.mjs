// @ts-nocheck
import { StorErr } from './basics.mjs'
import { NetworkModel } from './network-model.mjs'

/** Which entry may go, and how the queue is drained. */
export class QueueModel extends NetworkModel {
  /** The server cannot do it, or it stands behind what the server cannot do. */
  isPassable(e) {
    const k = this.wkey(e)
    const behind = (p) => k !== null && p.owner === e.owner && this.live(p) && p.seq < e.seq && this.wkey(p) === k
    return e.passable || this.box.some((p) => p.passable && behind(p))
  }
  wkey(e) {
    if (e.kind === 'reorder') return null
    const k = e.kind === 'wCreate' ? e.temp : e.body.id
    return this.F.canonKey ? this.canon(k) : k
  }
  live(e) {
    return e.state !== 'failed'
  }
  resolved(e) {
    const B = e.body,
      t = (i) => !i || !i.startsWith('temp-') || !this.canon(i).startsWith('temp-')
    if (e.kind !== 'wCreate' && e.kind !== 'reorder' && !t(B.id)) return false
    if (B.cp && !t(B.cp)) return false
    if (B.cps && !B.cps.every(t)) return false
    return true
  }
  dueIn(e) {
    const s = { nb: e.nb }
    e.nb = 0
    const ok = this.mayGo(e)
    e.nb = s.nb
    if (!ok) return Infinity
    const d = e.nb - this.now()
    return d > 3e5 ? 0 : Math.max(0, d)
  }
  mayGo(e) {
    const n = this.now()
    if (e.state !== 'waiting' || e.owner !== this.session.owner || this.paused[e.owner]) return false
    if (e.nb > n && !(e.nb > n + 3e5)) return false
    if (!this.resolved(e)) return false
    const k = this.wkey(e)
    if (this.F.keepLost && k !== null && this.lostIds(e.owner).includes(k)) return false
    for (const p of this.box) {
      if (p === e) continue
      if (p.owner !== e.owner || !this.live(p)) continue
      if (p.seq > e.seq) {
        if (this.F.createSerial && p.kind === 'reorder' && p.state === 'leased') return false
        continue
      }
      if (k !== null && this.wkey(p) === k) return false
      if (this.F.createSerial && p.state === 'leased' && (e.kind === 'reorder' || p.kind === 'reorder')) return false
      const again = e.kind === 'wCreate' && p.kind === 'wCreate' && e.body.pair === p.body.pair
      if (this.F.pass && this.isPassable(p) && !(again && this.F.pairWaits)) continue
      if (e.kind === 'reorder' && (p.kind === 'wCreate' || p.kind === 'wDel')) return false
      if (e.kind === 'reorder' && p.kind === 'reorder') return false
      if (this.F.createWaits && e.kind === 'wCreate' && (p.kind === 'wDel' || p.kind === 'wCreate')) return false
      if (this.F.delWaitsReorder && (e.kind === 'wDel' || e.kind === 'wCreate') && p.kind === 'reorder') return false
      if (this.F.createSerial && p.state === 'leased' && (e.kind === 'reorder' || p.kind === 'reorder')) return false
    }
    return true
  }
  *sync(ctx, reason) {
    try {
      yield* this.drain(ctx)
      yield* this.pull(ctx, reason)
    } catch (x) {
      if (!(x instanceof StorErr)) throw x
    }
  }
  *drain(ctx) {
    if (this.procs.filter((p) => p.ctx === ctx && p.wantsDrain).length) return
    yield* this.lock('outbox-drain', ctx)
    const st = { sending: new Set(), err: null }
    try {
      this.tx('take over leases')
      for (const e of this.box)
        if (e.state === 'leased') {
          e.state = 'waiting'
        }
      yield null
      for (;;) {
        if (st.err && (!this.F.leaseCheck || !st.sending.size)) throw st.err
        if (!st.err)
          for (const e of this.box.toSorted((a, b) => a.seq - b.seq)) {
            if (st.sending.size >= 6) break
            if (
              ![...st.sending].some(
                (l) =>
                  l.e.op === e.op ||
                  (l.k !== null && l.k === this.wkey(e)) ||
                  (this.F.createSerial && (l.e.kind === 'reorder' || e.kind === 'reorder')) ||
                  (this.F.createWaits && l.e.kind === 'wCreate' && !this.isPassable(l.e) && e.kind === 'wCreate'),
              ) &&
              this.mayGo(e)
            ) {
              const l = { e, k: this.wkey(e) }
              st.sending.add(l)
              this.spawn(ctx, 'send', this.send(l, st, ctx))
            }
          }
        if (!st.sending.size) break
        const n = st.sending.size
        yield () => (st.err ? !this.F.leaseCheck || !st.sending.size : st.sending.size < n)
      }
      // returns when next is due: asker sets timer
      let nx = Infinity
      for (const e of this.box)
        if (e.state === 'waiting' && e.owner === this.session.owner && !this.paused[e.owner])
          nx = Math.min(nx, this.F.dueHead ? this.dueIn(e) : Math.max(e.nb - this.now(), 0))
      if (nx < Infinity) this.pageTimer = Math.min(this.pageTimer, this.T + Math.max(nx, 100))
    } finally {
      if (this.locks['outbox-drain'] === ctx) delete this.locks['outbox-drain']
    }
  }
  *send(l, st, ctx) {
    const e0 = l.e
    try {
      this.tx('lease')
      const e = this.box.find((x) => x.op === e0.op)
      if (!e || e.state !== 'waiting' || !this.mayGo(e)) return
      e.state = 'leased'
      const my = (e.lease = this.lz = (this.lz || 0) + 1)
      if (this.F.stripUnmade && e.att === 0 && e.body.ids)
        e.body = { ids: e.body.ids.filter((i) => !this.canon(i).startsWith('temp-')) }
      if (this.F.attemptsAtLease) e.att++
      const body = this.mapBody(e)
      yield null
      if (this.F.leaseCheck && !this.mine(e, my)) return
      const r = yield* this.authed({ kind: e.kind, op: e.op, seq: e.seq, body }, e.owner, ctx)
      yield null
      this.tx('apply answer')
      if (this.F.leaseCheck && !this.mine(e, my)) return
      this.answer(e, r)
    } catch (x) {
      if (!(x instanceof StorErr)) throw x
      st.err = x
    } finally {
      st.sending.delete(l)
    }
  }
  mine(e, my) {
    return this.box.includes(e) && e.state === 'leased' && e.lease === my
  }
  mapBody(e) {
    const B = { ...e.body }
    if (B.id) B.id = this.canon(B.id)
    if (B.cp) B.cp = this.canon(B.cp)
    if (B.cps) B.cps = B.cps.map((i) => this.canon(i))
    if (B.ids) B.ids = B.ids.map((i) => this.canon(i))
    return B
  }
}
