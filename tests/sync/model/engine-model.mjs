// @ts-nocheck
import { V } from './basics.mjs'
import { QueueModel } from './queue-model.mjs'

/** Effects of answers and pulls. */
export class EngineModel extends QueueModel {
  answer(e, given) {
    let r = given
    const o = e.owner
    const back = (ra) => {
      e.state = 'waiting'
      if (!this.F.attemptsAtLease) e.att++
      e.tries = (e.tries || 0) + 1
      const d = this.F.retryAfter
        ? Math.min(24e4, ra || 2000 * 2 ** Math.min(e.tries, 8))
        : ra || Math.min(3e5, 2000 * 2 ** Math.min(e.tries, 8))
      e.nb = this.now() + d
      if (!this.box.includes(e)) this.box.push(e)
    }
    if (r.owner) {
      e.state = 'waiting'
      return
    }
    if (r.code === 'NO_SUCH_ROUTE' && !this.F.noRoute) r = { ...r, code: 'NOT_FOUND' }
    if (!r.net && (r.status >= 500 || r.bad || r.status === 404)) {
      e.stalled = e.stalled || { n: 0, since: this.rev[o] }
      e.passable = ++e.stalled.n >= 10 && this.rev[o] > e.stalled.since
      // Beside a stream nothing else asks whether the server answers at all.
      if (e.stalled.n >= 10 && !e.passable) this.forcePull = true
    }
    if (r.code === 'NO_SUCH_ROUTE') return back()
    if (r.code === 'NOT_FOUND' && this.inDoubt(e)) {
      if (e.temp) e.nf = (e.nf || 0) + 1
      this.forcePull = true
      return back()
    }
    if (r.net || r.status >= 500 || r.status === 429 || r.bad) return back(r.ra && r.ra * 1000)
    if (r.status === 401) {
      if ((!r.code && this.F.captive401) || (o === 'anon' && this.F.guest401)) return back()
      e.state = 'waiting'
      this.paused[o] = true
      return
    }
    if (r.status >= 400 && !r.code) return back()
    if (r.status < 300) {
      this.rev[o]++
      this.box = this.box.filter((x) => x !== e)
      e.done = true
      if (!(this.F.logoutApply && o !== this.session.owner)) {
        if (r.step && !r.rep) this.moveOn(o, r.step)
        this.apply(o, e, r)
      } else if (e.temp && (r.w || r.c)) this.ids[e.temp] = (r.w || r.c).id
      return
    }
    if (e.kind.match(/Del/) && r.status === 404 && r.code === 'NOT_FOUND') {
      this.rev[o]++
      this.box = this.box.filter((x) => x !== e)
      e.done404 = true
      if (e.kind === 'wDel') this.rows[o] = this.rows[o].filter((w) => w.id !== this.canon(e.body.id))
      else {
        const w = this.rows[o].find((w) => w.id === this.canon(e.body.id))
        const c = this.canon(e.body.cp)
        if (w) w.cps = w.cps.filter((x) => x.id !== c)
      }
      return
    }
    if (this.F.pairMerge && r.code === 'PAIR_EXISTS') {
      // Only past a removal that the server cannot do: who adds the pair again does not want it removed any more.
      const removals = this.box.filter(
        (x) => x.owner === o && this.live(x) && x.kind === 'wDel' && x.seq < e.seq && this.canon(x.body.id) === r.w.id,
      )
      if (removals.some((x) => x.state === 'leased')) return back()
      for (const x of removals) x.superseded = true
      this.box = this.box.filter((x) => !removals.includes(x))
      this.rev[o]++
      this.box = this.box.filter((x) => x !== e)
      e.done404 = true
      this.ids[e.temp] = r.w.id
      if (!(this.F.logoutApply && o !== this.session.owner) && !this.rows[o].some((w) => w.id === r.w.id))
        this.rows[o].push(r.w)
      this.forcePull = true
      return
    }
    e.code = r.code
    this.fail(e, r.code)
    this.forcePull = true
  }
  /** A NOT_FOUND that the list has to explain: nothing can have been made, or a guest's widget is missing. */
  inDoubt(e) {
    const here = e.owner !== this.session.owner || this.rows[e.owner].some((w) => w.id === this.canon(e.body.id))
    if (e.kind === 'wCreate') return this.F.notThere && e.att <= (e.nf || 0) + 1
    if (e.kind === 'cCreate') return this.F.notThere && e.att <= (e.nf || 0) + 1 && here
    return this.F.keepLost && e.owner === 'anon' && !e.kind.match(/Del/) && here
  }
  fail(e, code) {
    const set = new Set([e])
    this.log(`  REFUSED ${e.op} ${e.kind} ${code}`)
    this.failedLog.push({ op: e.op, kind: e.kind, code, relogin: !!this.h.ops.some((x) => x.t === 'login') })
    for (let ch = true; ch;) {
      ch = false
      for (const x of this.box) {
        if (set.has(x) || x.owner !== e.owner || !this.live(x)) continue
        for (const f of set) {
          const byGroup = f === e && f.group && x.group === f.group
          const nm =
            f.temp &&
            !this.ids[f.temp] &&
            (x.body.id === f.temp ||
              x.body.cp === f.temp ||
              (x.body.cps || []).includes(f.temp) ||
              (x.body.ids || []).includes(f.temp))
          if (byGroup || nm) {
            const multi = nm && (x.body.ids || x.body.cps) && x.body.id !== f.temp
            if (multi && !byGroup) {
              if (this.F.reorderDep) {
                const k = x.body.ids ? 'ids' : 'cps'
                x.body = { ...x.body, [k]: x.body[k].filter((i) => i !== f.temp) }
                ch = true
                continue
              }
              if ((x.body.ids || x.body.cps).length > 1)
                throw new V(7, `refused ${f.kind} (${code}) took a ${x.kind} of other things along`)
            }
            set.add(x)
            ch = true
            break
          }
        }
      }
    }
    for (const x of set) {
      x.state = 'failed'
      const o = x.owner
      this.bump(o, '*')
    }
  }
  apply(o, e, r) {
    let R = this.rows[o]
    const up = (w) => {
      const i = R.findIndex((x) => x.id === w.id)
      if (i >= 0) R[i] = w
      else if (e.kind === 'wCreate' || !this.F.upsertGuard) R.push(w)
    }
    if (e.kind === 'wCreate') {
      this.ids[e.temp] = r.w.id
      if (this.F.pairMerge) R = this.rows[o] = R.filter((x) => x.pair !== r.w.pair || x.id === r.w.id)
      up(r.w)
    } else if (e.kind === 'wUpd') {
      if (r.w) up(r.w)
    } else if (e.kind === 'wDel') this.rows[o] = R.filter((w) => w.id !== this.canon(e.body.id))
    else if (e.kind === 'reorder') {
      if (this.F.orderOnly) {
        const ids = r.list.map((w) => w.id)
        this.rows[o] = [
          ...ids.map((i) => R.find((w) => w.id === i)).filter(Boolean),
          ...R.filter((w) => !ids.includes(w.id)),
        ]
      } else this.rows[o] = r.list
    } else {
      if (r.c) this.ids[e.temp] = r.c.id
      const w = R.find((w) => w.id === this.canon(e.body.id))
      if (w && r.cps) w.cps = r.cps
    }
  }
  /** A pair that this device did not remove and the list lacks keeps its place, marked as lost. */
  withLost(list) {
    const rows = list.slice()
    const going = (id) => this.box.some((e) => this.live(e) && e.kind === 'wDel' && this.canon(e.body.id) === id)
    this.rows.anon.forEach((w, place) => {
      const there = list.some((x) => x.id === w.id || x.pair === w.pair)
      if (!there && !this.givenUp.has(w.id) && !going(w.id)) rows.splice(place, 0, { ...w, lost: true })
    })
    return rows
  }
  /** The answer to a change of this device moves the revision on, if it began at the one held. */
  moveOn(o, step) {
    const list = this.list[o]
    if (list.held === null) return
    list.steps.push(step)
    for (let i; (i = list.steps.findIndex(([before]) => before === list.held)) >= 0;) {
      list.held = list.steps.splice(i, 1)[0][1]
      if (list.told === list.held) list.told = null
    }
  }
  underWay(o) {
    return this.box.some((e) => e.owner === o && e.state === 'leased')
  }
  isOutdated(o) {
    const { told, held } = this.list[o]
    return told !== null && told !== held
  }
  *pull(ctx, reason) {
    for (let pulls = 0; pulls < 3; pulls++) if (!(yield* this.pullOnce(ctx, pulls ? 'online' : reason))) return
  }
  isPullDue(o, reason) {
    if (this.forcePull || this.isOutdated(o) || reason === 'online') return true
    const isFollowed = this.stream?.owner === o
    const [last, spacing] = isFollowed ? [this.list[o].whole, 36e5] : [this.lastPull[o], 6e4]
    const n = this.now()
    return last === undefined || n - last >= spacing || (this.F.spacing && last > n)
  }
  *pullOnce(ctx, reason) {
    const o = this.session.owner
    const list = this.list[o]
    if (!this.isPullDue(o, reason)) return false
    if (this.underWay(o)) {
      if (reason === 'online') this.forcePull = true
      return false
    }
    const rev = this.rev[o]
    const { told, held, whole } = list
    const age = this.now() - whole
    const isWhole = this.forcePull || held === null || whole === undefined || age >= 36e5 || age < 0
    yield null
    const r = yield* this.authed(isWhole ? { kind: 'GET' } : { kind: 'GET', known: held }, o, ctx)
    const isUnchanged = r.status === 304 && !isWhole
    if ((r.status !== 200 && !isUnchanged) || r.bad) {
      // A stream does not tell twice.
      if (this.stream?.owner === o) this.forcePull = true
      return false
    }
    yield null
    if (this.session.owner !== o || this.list[o] !== list || this.rev[o] !== rev) return true
    const pulled = isUnchanged ? held : r.rev
    if (!isUnchanged && this.underWay(o)) return true
    this.tx('pull')
    // Named while the pull was under way: its rows may be from before.
    if (!this.F.toldKept || list.told === told || list.told === pulled) list.told = null
    if (isUnchanged) {
      this.rev[o]++
      this.forcePull = false
      this.lastPull[o] = this.now()
      return this.isOutdated(o)
    }
    list.held = r.rev
    list.steps = []
    list.whole = this.now()
    if (this.forgetSeen) this.seen = {}
    this.forgetSeen = false
    this.rows[o] = this.F.keepLost && o === 'anon' ? this.withLost(r.list) : r.list
    this.forcePull = false
    this.lastPull[o] = this.now()
    if (this.F.pullSeq) this.rev[o]++
    const ack = (by, id) => {
      const e =
        by &&
        this.box.find(
          (e) => e.op === by && e.owner === o && (e.state === 'waiting' || (this.F.ackFailed && e.state === 'failed')),
        )
      if (e) {
        this.box = this.box.filter((x) => x !== e)
        e.done = true
        e.state = 'acked'
        if (this.F.ackMap) this.ids[e.temp] = id
      }
    }
    for (const w of r.list) {
      ack(w.by, w.id)
      if (
        this.F.pairMerge &&
        !this.box.some((e) => e.owner === o && this.live(e) && e.kind === 'wDel' && this.canon(e.body.id) === w.id)
      ) {
        const e = this.box.find(
          (e) => e.owner === o && e.kind === 'wCreate' && e.state === 'waiting' && e.body.pair === w.pair,
        )
        if (e) {
          this.box = this.box.filter((x) => x !== e)
          e.done404 = true
          this.ids[e.temp] = w.id
          this.bump(o, w.id)
        }
      }
      if (this.F.ackCps) for (const c of w.cps) ack(c.by, c.id)
    }
    return this.isOutdated(o)
  }
  /** The visible tab's stream: opened with the present revision, cut at any moment, delivering one revision at a time. */
  streamReady() {
    if (!this.h.cfg.stream || this.offline) return false
    if (this.stream?.owner === this.session.owner) return this.stream.queue.length > 0
    return this.T >= this.streamFrom
  }
  streamStep() {
    const o = this.session.owner
    if (this.stream?.owner !== o) {
      this.log(`stream of ${o} opens at ${this.S.acc[o].rev}`)
      this.stream = { owner: o, queue: [this.S.acc[o].rev] }
      return
    }
    const rev = this.stream.queue.shift()
    if (!this.F.told) return
    const list = this.list[o]
    if (rev === list.held) list.told = null
    else {
      list.told = rev
      if (!this.underWay(o)) this.forcePull = true
    }
    this.log(`stream names ${rev}, held is ${list.held}`)
  }
  cut() {
    this.log('stream is cut')
    this.stream = null
    this.streamFrom = this.T + 4e3
  }
  /** A named revision that no answer under way can bring is asked for at once. */
  followWork() {
    const o = this.session.owner
    const wanted = [this.forcePull, this.isOutdated(o) && !this.underWay(o) ? this.list[o].told : null].join()
    if (!this.h.cfg.stream || wanted === this.wanted) return
    this.wanted = wanted
    if (wanted !== 'false,') this.trigger('command')
  }
}
