// @ts-nocheck
import { cl, cpMut, MAXC, ovOrder, PAIRS, StorErr, V } from './basics.mjs'
import { ServerModel } from './server-model.mjs'

/** The screen's content, and the user's actions. */
export class ClientModel extends ServerModel {
  overlay(o) {
    let L = cl(this.rows[o])
    const alias = {}
    for (const e of this.box) {
      if (e.owner !== o || e.state === 'failed') continue
      const B = e.body,
        id = B.id && (alias[B.id] || this.canon(B.id))
      if (e.kind === 'wCreate') {
        const ex = this.F.pairMerge && L.find((x) => x.pair === B.pair || x.by === e.op)
        if (ex) {
          alias[e.temp] = ex.id
          continue
        }
        L.push({ id: this.canon(e.temp), pair: B.pair, thr: 0, cps: [], by: e.op })
      } else if (e.kind === 'reorder') {
        const ids = B.ids.map((i) => alias[i] || this.canon(i))
        L = ovOrder(L, ids, this.S.acc[o].max)
      } else {
        const w = L.find((x) => x.id === id)
        if (!w) continue
        if (e.kind === 'wUpd') w.thr = B.v
        else if (e.kind === 'wDel') L = L.filter((x) => x !== w)
        else {
          if (this.F.pairMerge && e.kind === 'cCreate' && w.cps.some((c) => c.by === e.op)) continue
          const b = { ...B }
          if (b.cp) b.cp = this.canon(b.cp)
          if (b.cps) b.cps = b.cps.map((i) => this.canon(i))
          cpMut(w.cps, e.kind, b, () => this.canon(e.temp), e.op, true)
        }
      }
    }
    return L
  }
  check() {
    for (const x of ['u1', 'u2'])
      if (x !== this.session.owner && this.rows[x].length && this._to === this.session.owner)
        throw new V(5, 'rows of a signed-out owner were written after they were cleared')
    const o = this.session.owner,
      L = this.overlay(o),
      s = JSON.stringify(L)
    if (this.lastScreen === o + s) return
    this.lastScreen = o + s
    const pr = new Set()
    for (const w of L) {
      if (pr.has(w.pair)) throw new V(4, 'pair shown twice: ' + JSON.stringify(L.map((w) => [w.id, w.pair])))
      pr.add(w.pair)
      const bs = new Set()
      for (const c of w.cps) {
        const k = c.by || c.id
        if (bs.has(k)) throw new V(4, 'checkpoint shown twice')
        bs.add(k)
      }
    }
    const things = {}
    for (const w of L) {
      const k = w.by || w.id
      things['w:' + k] = ['1', w]
      things['t:' + k] = [String(w.thr), w]
      for (const c of w.cps) things['c:' + (c.by || c.id)] = ['1', w]
    }
    const M = this.seen
    const keys = new Set([...Object.keys(things), ...Object.keys(M)])
    for (const k of keys) {
      const val = things[k] ? things[k][0] : null
      const w = things[k] ? things[k][1] : M[k] && M[k].w
      const m = (M[k] = M[k] || { w, hist: [] })
      m.w = w
      if (k[0] === 't' && val === null) continue
      const C = this.cause[o] || {}
      // Changes to a widget under its temporary id count after the server has named the widget.
      const isIts = (key) => key === '*' || key === w.by || this.canon(key) === this.canon(w.id)
      const cnt = Object.keys(C).reduce((sum, key) => (isIts(key) ? sum + C[key] : sum), 0)
      const last = m.hist[m.hist.length - 1]
      if (last && last.v === val) continue
      const pp = m.hist[m.hist.length - 2]
      if (pp && pp.v === val && pp.c === cnt) throw new V(4, `flicker ${k}: ${pp.v} -> ${last.v} -> ${val} on ${w.id}`)
      m.hist.push({ v: val, c: cnt })
    }
  }
  tx(what) {
    if (this.store > 0 && --this.store === 0) {
      this.log('STORAGE ERROR in ' + what)
      throw new StorErr(what)
    }
  }
  put(e) {
    e.seq = this.seq++
    e.op = 'op' + this.opn++
    e.owner = this.session.owner
    e.state = 'waiting'
    e.att = 0
    e.nb = e.nb || 0
    this.box.push(e)
    this.cmds.push(e)
    e.ver = e.body.v
    this.bump(e.owner, e.body.id ? this.canon(e.body.id) : e.op)
    if (e.kind === 'reorder') this.bump(e.owner, '*')
    this.log(`user(${e.owner}) ${e.kind} ${e.temp || ''} ${JSON.stringify(e.body)} = ${e.op}`)
    return e
  }
  fresh(e) {
    return e.att === 0 && e.state !== 'failed' && (!this.F.attemptsAtLease || e.state === 'waiting')
  }
  same(a, b) {
    return this.F.canonKey ? this.canon(a) === this.canon(b) : a === b
  }
  lostIds(o) {
    return this.rows[o].filter((w) => w.lost).map((w) => w.id)
  }
  /** Lost widgets go from this device, with what waits for them. */
  forget(ids) {
    const gone = (e) => e.owner === 'anon' && e.state !== 'leased' && ids.includes(this.wkey(e))
    for (const e of this.box.filter(gone)) e.superseded = true
    this.box = this.box.filter((e) => !gone(e))
    this.rows.anon = this.rows.anon.filter((w) => !ids.includes(w.id))
  }
  answerLoss(a) {
    const ids = this.lostIds('anon')
    if (this.session.owner !== 'anon' || !ids.length) return
    const shown = this.overlay('anon')
    this.bump('anon', '*')
    this.forget(ids)
    this.log((a % 3 ? 'user sends again ' : 'user removes here ') + ids)
    if (a % 3 === 0) return
    const order = shown.map((w) => w.id)
    for (const w of shown.filter((x) => ids.includes(x.id))) {
      const temp = 'temp-' + this.opn
      this.ids[w.id] = temp
      order[order.indexOf(w.id)] = temp
      this.put({ kind: 'wCreate', temp, body: { pair: w.pair } })
      if (w.thr) this.put({ kind: 'wUpd', body: { id: temp, v: w.thr } })
      for (const c of w.cps)
        this.put({ kind: 'cCreate', temp: 'temp-cp-' + this.opn, body: { id: temp, ratio: c.ratio, def: c.def } })
    }
    for (const e of this.box.filter((x) => x.owner === 'anon' && x.kind === 'reorder' && x.state === 'waiting')) {
      e.superseded = true
      this.box = this.box.filter((x) => x !== e)
    }
    this.put({ kind: 'reorder', body: { ids: order } })
    this.trigger('command')
  }
  cmd(k, a, b) {
    const o = this.session.owner,
      L = this.overlay(o),
      max = this.S.acc[o].max
    const w = L[a % Math.max(1, L.length)]
    try {
      this.tx('command')
    } catch {
      return
    }
    // an open dialog goes on using the temp id it knows
    let id = w && w.id
    if (w && b % 3 === 0) {
      const t = Object.keys(this.ids).find((t) => this.ids[t] === w.id)
      if (t) id = t
    }
    if (k === 'add') {
      if (L.length >= max || L.some((x) => x.pair === b % PAIRS)) return
      this.put({ kind: 'wCreate', temp: 'temp-' + this.opn, body: { pair: b % PAIRS } })
    } else if (k === 'reorder') {
      const n = Math.min(max, L.length)
      const grp = a % 2 && L.length > max ? [max, L.length] : [0, n]
      if (grp[1] - grp[0] < 2) return
      const ids = L.map((x) => x.id)
      const i = grp[0] + (a % (grp[1] - grp[0])),
        j = grp[0] + (b % (grp[1] - grp[0]))
      if (i === j) return
      const x = ids.splice(i, 1)[0]
      ids.splice(j, 0, x)
      const old = this.box.find((e) => e.owner === o && e.kind === 'reorder' && this.fresh(e) && e.state !== 'leasedX')
      if (old) {
        this.box = this.box.filter((e) => e !== old)
        old.superseded = true
      }
      this.put({ kind: 'reorder', body: { ids }, nb: this.now() + 4000 })
    } else if (!w) return
    else if (k === 'thr') {
      const v = 1 + (b % 900)
      const e = this.box.find((e) => e.owner === o && e.kind === 'wUpd' && this.same(e.body.id, id) && this.fresh(e))
      this.bump(o, this.canon(id))
      if (w.by) this.bump(o, w.by)
      if (e) {
        e.body = { ...e.body, v }
        e.ver = v
        this.log(`user thr ${id}=${v} absorbed by ${e.op}`)
      } else this.put({ kind: 'wUpd', body: { id, v } })
    } else if (k === 'rm' && w.lost) {
      this.bump(o, '*')
      this.forget([w.id])
    } else if (k === 'rm') {
      const c = this.box.find(
        (e) => e.owner === o && e.kind === 'wCreate' && (e.temp === id || this.canon(e.temp) === id) && this.fresh(e),
      )
      this.bump(o, id)
      if (w.by) this.bump(o, w.by)
      if (c) {
        this.box = this.box.filter((e) => e !== c)
        c.superseded = true
        this.log(`user rm ${id}: cancels ${c.op}`)
        if (this.F.cancelDeps)
          this.box = this.box.filter((e) => {
            if (e.body.id === c.temp) {
              e.superseded = true
              return false
            }
            if (e.kind === 'reorder' && e.att === 0 && e.body.ids.includes(c.temp))
              e.body = { ids: e.body.ids.filter((i) => i !== c.temp) }
            return true
          })
      } else this.put({ kind: 'wDel', body: { id } })
    } else if (k === 'cAdd') {
      if (w.cps.length >= MAXC) return
      this.put({ kind: 'cCreate', temp: 'temp-cp-' + this.opn, body: { id, ratio: b % 50, def: b % 2 === 0 } })
    } else if (!w.cps.length) return
    else {
      const c = w.cps[b % w.cps.length]
      if (k === 'cUpd') {
        const e = this.box.find((e) => e.owner === o && e.kind === 'cUpd' && e.body.cp === c.id && this.fresh(e))
        if (e) {
          e.body = { ...e.body, v: b % 70 }
          e.ver = b % 70
          this.bump(o, w.id)
          if (w.by) this.bump(o, w.by)
        } else this.put({ kind: 'cUpd', body: { id, cp: c.id, v: b % 70 } })
      } else if (k === 'cDel') {
        const cr = this.box.find((e) => e.owner === o && e.kind === 'cCreate' && e.temp === c.id && this.fresh(e))
        if (cr) {
          this.box = this.box.filter((e) => e !== cr)
          cr.superseded = true
          this.bump(o, w.id)
          if (w.by) this.bump(o, w.by)
          this.log('user cDel cancels ' + cr.op)
          if (this.F.cancelDeps)
            this.box = this.box.filter((e) => {
              if (e.body.cp === cr.temp && e.att === 0) {
                e.superseded = true
                return false
              }
              if (e.body.cps && e.att === 0) e.body = { ...e.body, cps: e.body.cps.filter((i) => i !== cr.temp) }
              return true
            })
        } else this.put({ kind: 'cDel', body: { id, cp: c.id } })
      } else if (k === 'pop') {
        const g = 'g' + this.opn
        let cps = w.cps.slice()
        if (b % 2 && cps.length > 1) {
          const d = cps.shift()
          this.put({ kind: 'cDelMany', group: g, body: { id, cps: [d.id] } })
        }
        if (cps.length > 1) {
          cps.push(cps.shift())
          this.put({ kind: 'cReorder', group: g, body: { id, cps: cps.map((c) => c.id) } })
        }
        if (a % 2) this.put({ kind: 'cDef', group: g, body: { id, cp: cps[0].id } })
      }
    }
    this.trigger('command')
  }
}
