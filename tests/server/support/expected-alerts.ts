import { agedPair, agedStanding } from '../../../src/domain/ages'
import { judgeExtreme, type ExtremeState } from '../../../src/domain/extreme-alert'
import { HOUR, MINUTE } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { judgeRule, type RuleMemory, type RuleTerms } from '../../../src/domain/judge-rule'
import { type DayWindow, factsOf, type MoveWindow } from '../../../src/domain/rule-kinds'
import {
  type Extent,
  MEASURES,
  measureInUnit,
  measureName,
  MOVES,
  type PairSight,
  readMeasure,
} from '../../../src/domain/rule-measures'
import { daysOfStanding } from '../../../src/domain/standing'
import { TAPE_COINS, TAPE_START, type TapedWidget, type TapeStep } from './alert-tape'
import { pointsBefore, tapedCloses, type TapedEdit, type TapedTerms } from './rules-tape'

/** An alert that must have come. */
export interface ExpectedEvent {
  /** Time, widget, kind, side, epoch, ratio, and what was crossed. */
  readonly line: string
  readonly widget: number
  /** As alertEventId, but with the number of the widget, and of a rule with the key of its create. */
  readonly name: string
  readonly at: number
  /** False: it is in the log alone. */
  readonly told: boolean
  /** True: its rule was removed within the hour that a quiet mail waits at most, so that it need not be told. */
  isOptional: boolean
  /** When it was over; null: it is not. */
  back: number | null
}

/** Alerts and states that must stand in the database after a tape. */
export interface Expected {
  readonly events: readonly ExpectedEvent[]
  /** Flags and epochs of each widget, and the state of its rule. */
  readonly states: readonly string[]
}

interface Side {
  on: boolean
  epoch: number
  /** When the ratio went beyond the threshold; null: it is not beyond. */
  since: number | null
  /** The latest crossing. */
  event: ExpectedEvent | null
}

interface Ruled {
  readonly op: string
  terms: RuleTerms & Pick<TapedTerms, 'window' | 'loudness'>
  memory: RuleMemory
  event: ExpectedEvent | null
}

interface Known {
  readonly usd: number
  readonly at: number
  readonly seen: number
}

const TEN_MINUTES = 10 * MINUTE
const UNIT = 5 * MINUTE

/** Means of the points of five minutes as prices come, and those from before the tape. */
function history() {
  const points = new Map<string, { usd: number; samples: number }>()
  const place = (coin: string, level: number, bucket: number) => `${coin} ${level} ${bucket}`
  for (const { coin, level, bucket, usd } of pointsBefore()) points.set(place(coin, level, bucket), { usd, samples: 1 })
  const columns = new Map<string, Float64Array>()
  return {
    add: (coin: string, at: number, usd: number): void => {
      const point = points.get(place(coin, 0, Math.floor(at / UNIT)))
      if (point === undefined) points.set(place(coin, 0, Math.floor(at / UNIT)), { usd, samples: 1 })
      else point.usd += (usd - point.usd) / ++point.samples
    },
    /** Lowest and highest ratio among the points of a window that have ended; null: less than half of it is known. */
    extent: (a: string, b: string, window: MoveWindow, now: number): Extent | null => {
      const { span, step } = MOVES[window]
      const [level, units] = step === UNIT ? [0, 1] : [1, 6]
      const [first, end] = [Math.ceil((now - span) / step), Math.floor(now / step)]
      const column = (coin: string): Float64Array => {
        const name = `${coin} ${level} ${first} ${end}`
        let found = columns.get(name)
        if (found === undefined) {
          if (columns.size > 500) columns.clear()
          found = Float64Array.from(
            { length: end - first },
            (_, i) => points.get(place(coin, level, (first + i) * units))?.usd ?? NaN,
          )
          columns.set(name, found)
        }
        return found
      }
      const [ofA, ofB] = [column(a), column(b)]
      const ratios = ofA.map((usd, i) => usd / ofB[i]!).filter((ratio) => ratio < Infinity)
      return ratios.length * step * 2 < span ? null : { lowest: Math.min(...ratios), highest: Math.max(...ratios) }
    },
  }
}

const dayOf = (time: number): number => Math.floor(time / (24 * 60 * MINUTE))

const liveOf = (a: Known, b: Known) =>
  ({ providerTime: Math.min(a.at, b.at), priceA: a.usd, priceB: b.usd, source: 'coingecko' }) as const

/** An owner's change of a rule, from the design: raised from false it begins a new epoch, and what changes waits anew. */
function edited(rule: Ruled, body: Extract<TapedEdit, { what: 'update' }>['body'], checkpoint: number): void {
  const { hold_minutes: holdMinutes = rule.terms.holdMinutes, expires_at, armed, ...rest } = body
  const before = rule.terms
  rule.terms = {
    ...before,
    ...rest,
    holdMinutes,
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : Date.parse(expires_at) }),
  }
  const { memory } = rule
  if (armed === true && !memory.armed) {
    rule.memory = {
      armed: true,
      ended: false,
      epoch: memory.epoch + 1,
      dueAt: null,
      anchor: anchorOf(rule.terms, checkpoint),
    }
  } else if (armed === false) rule.memory = { ...memory, armed: false, ended: true, dueAt: null }
  else {
    const isSame = (['level', 'margin', 'holdMinutes', 'window'] as const).every(
      (name) => before[name] === rule.terms[name],
    )
    const ended = memory.ended || (!memory.armed && rule.terms.repeat === 'once')
    rule.memory = { ...memory, ended, dueAt: isSame ? memory.dueAt : null }
  }
}

const anchorOf = ({ kind }: Pick<RuleTerms, 'kind'>, checkpoint: number): number | null => {
  const { anchor, sign } = factsOf(kind)
  return anchor === 'checkpoint' ? sign * checkpoint : null
}

/**
 * The rules once more, from the specification and `judgeRule`: every widget of a coin that an update names is looked at, by
 * prices, points and closes alone.
 */
export function expectedAlerts(
  widgets: readonly TapedWidget[],
  steps: readonly TapeStep[],
  { first, edits }: { readonly first: readonly TapedEdit[]; readonly edits: readonly (readonly TapedEdit[])[] },
): Expected {
  const known = new Map<string, Known>()
  const points = history()
  const armed = (): Side => ({ on: true, epoch: 0, since: null, event: null })
  const sides = widgets.map(() => ({ high: armed(), low: armed() }))
  const rules: (Ruled | null)[] = widgets.map(() => null)
  const checkpoints = widgets.map(() => 0)
  const extremes = new Map<string, ExtremeState>()
  /** By pair, side and day. */
  const atExtremes = new Map<string, ExpectedEvent[]>()
  const events: ExpectedEvent[] = []
  const fire = (at: number, widget: number, name: string, what: readonly (string | number | null)[], told = true) => {
    const event = { at, widget, name, line: [at, widget, ...what].join(' '), told, isOptional: false, back: null }
    events.push(event)
    return event
  }

  function makeOptional(op: string, now: number): void {
    for (let i = events.length - 1; i >= 0 && events[i]!.at >= now - HOUR; i--)
      if (events[i]!.name.startsWith(`rule:${op}:`)) events[i]!.isOptional = true
  }
  const edit = (change: TapedEdit, now: number): void => {
    const { widget, what } = change
    const rule = rules[widget]!
    if (what === 'create') {
      const { kind, level, margin, hold_minutes, repeat, expires_at, loudness, window } = change.body
      const expiresAt = expires_at === null ? null : Date.parse(expires_at)
      const terms = { kind, level, margin, holdMinutes: hold_minutes, repeat, expiresAt, loudness, window }
      const memory = { armed: true, ended: false, epoch: 0, dueAt: null, anchor: anchorOf(terms, checkpoints[widget]!) }
      rules[widget] = { op: change.op, terms, memory, event: null }
    } else if (what === 'remove') {
      rules[widget] = null
      makeOptional(rule.op, now)
    } else if (what === 'update') edited(rule, change.body, checkpoints[widget]!)
    else {
      checkpoints[widget] = change.ratio
      const anchor = rule === null ? null : anchorOf(rule.terms, change.ratio)
      if (anchor !== null && anchor !== rule.memory.anchor) rule.memory = { ...rule.memory, dueAt: null, anchor }
    }
  }
  for (const change of first) edit(change, TAPE_START)

  let matrix = tapedCloses(TAPE_START)
  for (const [step, { now, answer }] of steps.entries()) {
    for (const change of edits[step]!) edit(change, now)
    if (matrix.firstDay + matrix.days !== dayOf(now)) matrix = tapedCloses(now)
    const came = new Set<string>()
    for (const [coin, entry] of Object.entries(answer)) {
      const { usd, last_updated_at: seconds } = entry as { usd: unknown; last_updated_at: number | null }
      if (typeof usd !== 'number' || !(usd >= 0 && usd < Infinity)) continue
      came.add(coin)
      const at = seconds === null ? now : Math.min(now, seconds * 1000)
      const before = known.get(coin)
      if (before === undefined || before.at < at) points.add(coin, at, usd)
      if (before === undefined || before.at <= at) known.set(coin, { usd, at, seen: now })
    }
    const fresh = (coin: string): Known | null => {
      const price = known.get(coin)
      return price !== undefined && now - price.at <= TEN_MINUTES && now - price.seen <= TEN_MINUTES ? price : null
    }
    const ratioOf = (a: Known | null | undefined, b: Known | null | undefined): number | null => {
      const ratio = a && b ? a.usd / b.usd : NaN
      return ratio >= 0 && ratio < Infinity ? ratio : null
    }

    function judgeThresholds(index: number, ratio: number): void {
      const widget = widgets[index]!
      for (const side of ['high', 'low'] as const) {
        const threshold = widget[`${side}_threshold`]
        if (threshold === null) continue
        const state = sides[index]![side]
        const { alert_margin: margin, alert_hold_minutes: hold } = widget
        const beyond = side === 'high' ? ratio > threshold : ratio < threshold
        const back = side === 'high' ? ratio <= threshold * (1 - margin) : ratio >= threshold * (1 + margin)
        state.since = beyond ? (state.since ?? now) : null
        if (!state.on) {
          if (!back) continue
          state.on = true
          state.epoch++
          if (state.event !== null) state.event.back = now
        } else if (state.since !== null && now - state.since >= hold * MINUTE) {
          state.on = false
          state.event = fire(now, index, `${index}:${side}:${state.epoch}`, [
            'threshold',
            side,
            state.epoch,
            ratio,
            threshold,
          ])
        }
      }
    }

    function judgeItsRule(index: number, sight: PairSight | null): void {
      const rule = rules[index]
      if (rule == null) return
      const { coin_a_id, coin_b_id } = widgets[index]!
      const { terms, memory, op } = rule
      const { kind, window, loudness } = terms
      const measure = sight && readMeasure(MEASURES.get(measureName(kind, window))!, sight)
      const { verdict, memory: next } = judgeRule(terms, memory, measure, now)
      rule.memory = next
      const told = loudness !== 'log'
      const name = `rule:${op}:${next.epoch}`
      if (verdict === 'fired') {
        const extent = sight!.extent
        const falls =
          kind === 'move' &&
          readMeasure(MEASURES.get(measureName('move_down', window))!, { ...sight!, extent })! >= measure!
        const side = falls ? 'low' : factsOf(kind).side
        rule.event = fire(
          now,
          index,
          name,
          [kind, side, next.epoch, sight!.ratio, op, measureInUnit(kind, measure!, memory.anchor), loudness],
          told,
        )
      } else if (verdict === 'expired') {
        const ratio = sight?.ratio ?? ratioOf(known.get(coin_a_id), known.get(coin_b_id))
        if (ratio !== null) fire(now, index, name, ['rule_expired', next.epoch, ratio, op, loudness], told)
      } else if (verdict === 'back' && rule.event !== null && rule.event.name === `rule:${op}:${memory.epoch}`)
        rule.event.back = now
    }

    function judgeExtremes(a: string, b: string): void {
      const [priceA, priceB] = [fresh(a), fresh(b)]
      if (priceA === null || priceB === null || ratioOf(priceA, priceB) === null) return
      const live = liveOf(priceA, priceB)
      const { standing } = agedStanding(matrix, a as CoinId, b as CoinId, live, now)
      if (standing === null || standing.closesTo !== null) return
      const pair = `${a} ${b}`
      const before = extremes.get(pair) ?? null
      const { state, fires } = judgeExtreme(before, standing.extreme, dayOf(now))
      extremes.set(pair, state)
      const left = before?.stands != null && state !== before ? before.stands : null
      const leftOn = left && before!.firedOn[left]
      for (const event of leftOn === null ? [] : (atExtremes.get(`${pair} ${left} ${leftOn}`) ?? [])) event.back ??= now
      if (fires === null) return
      for (const [index, widget] of widgets.entries()) {
        if (!widget.extremes || widget.coin_a_id !== a || widget.coin_b_id !== b) continue
        const crossed = fires === 'low' ? standing.p5 : standing.p95
        const what = [`extreme_${fires}`, fires, dayOf(now), priceA.usd / priceB.usd, crossed]
        const event = fire(now, index, `extreme:${index}:${fires}:${dayOf(now)}`, what)
        const name = `${pair} ${fires} ${dayOf(now)}`
        atExtremes.set(name, [...(atExtremes.get(name) ?? []), event])
      }
    }

    const sights = new Map<string, PairSight | null>()
    const sightOf = (a: string, b: string): PairSight | null => {
      const [priceA, priceB] = [fresh(a), fresh(b)]
      const ratio = ratioOf(priceA, priceB)
      if (ratio === null || priceA === null || priceB === null) return null
      const live = liveOf(priceA, priceB)
      return {
        ratio,
        extent: (window) => points.extent(a, b, window, now),
        days: (window: DayWindow) => {
          const pair = agedPair(matrix, a as CoinId, b as CoinId, live, now)
          return pair === null || pair.age.pricedAt === null ? null : daysOfStanding(pair.closes, window)
        },
      }
    }
    for (const [index, { coin_a_id: a, coin_b_id: b }] of widgets.entries()) {
      const touched = came.has(a) || came.has(b)
      const pair = `${a} ${b}`
      if (touched && !sights.has(pair)) sights.set(pair, sightOf(a, b))
      const sight = touched ? sights.get(pair)! : null
      if (sight !== null) judgeThresholds(index, sight.ratio)
      judgeItsRule(index, sight)
    }
    for (const a of TAPE_COINS) {
      for (const b of TAPE_COINS) if (a !== b && (came.has(a) || came.has(b))) judgeExtremes(a, b)
    }
  }
  const states = sides.map(({ high, low }, index) => {
    const rule = rules[index]
    const { armed: on = '', ended = '', epoch = '', dueAt = '', anchor = '' } = rule?.memory ?? {}
    return [high.on, high.epoch, low.on, low.epoch, rule?.op ?? '', on, ended, epoch, dueAt, anchor].join(' ')
  })
  return { events, states }
}
