import type { OpId } from '../../../src/domain/ids'
import type { DailyMatrix } from '../../../src/domain/daily-matrix'
import type { CoinId } from '../../../src/domain/ids'
import { DAY, MINUTE } from '../../../src/domain/granularity'
import {
  factsOf,
  RULE_KIND_NAMES,
  RULE_LOUDNESSES,
  type RuleKind,
  type RuleWindow,
} from '../../../src/domain/rule-kinds'
import type { StoredRule } from '../../../server/services/rules/stored-rule'
import { TAPE_COINS, TAPE_START } from './alert-tape'
import { seeded } from './seeded'

/** A rule as its owner asks for it. */
export interface TapedTerms extends Pick<StoredRule, 'level' | 'margin' | 'hold_minutes' | 'repeat' | 'loudness'> {
  readonly window: RuleWindow | null
  readonly expires_at: string | null
}

/** A change that an owner makes; it may come long after that, and comes again where it was not answered. */
export type TapedEdit = { readonly widget: number; readonly op: OpId } & (
  | { readonly what: 'create'; readonly body: TapedTerms & { readonly kind: RuleKind; readonly note: null } }
  | { readonly what: 'update'; readonly body: Partial<TapedTerms> & { readonly armed?: boolean } }
  | { readonly what: 'remove' }
  | { readonly what: 'checkpoint'; readonly ratio: number }
)

interface RulesTape {
  /** A checkpoint and a rule for each widget, before the first update. */
  readonly first: readonly TapedEdit[]
  /** Before each update, in order. */
  readonly edits: readonly (readonly TapedEdit[])[]
}

/** Edits of one update, on the average. */
const EDITS = 0.8
/** Updates that an edit without a connection is late by at most. */
const LATEST = 30

/** Rules of all kinds, one a widget at a time, and what their owners do with them while the tape plays. */
export function rulesTape(seed: number, widgets: number, length: number): RulesTape {
  const random = seeded(seed + 3)
  const chance = (share: number): boolean => random() < share
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
  const op = (() => {
    let made = 0
    return () => `00000000-0000-4000-8000-${String(made++).padStart(12, '0')}` as OpId
  })()

  const terms = (kind: RuleKind, now: number): TapedTerms => {
    const { unit, windows, sign } = factsOf(kind)
    const level =
      unit === '%' ? 2 + Math.round(120 * random() ** 2) / 10 : sign * (0.4 + Math.round(15 * random()) / 10)
    return {
      level,
      window: windows.length === 0 ? null : oneOf(windows),
      margin: unit === '%' ? level * oneOf([0, 0.25, 0.5]) : oneOf([0, 0.25]),
      hold_minutes: chance(0.5) ? 0 : oneOf([1, 2, 4, 15]),
      repeat: chance(0.75) ? 'each' : 'once',
      loudness: oneOf(RULE_LOUDNESSES),
      expires_at: chance(0.85) ? null : new Date(now + oneOf([-5, 20, 300]) * MINUTE).toISOString(),
    }
  }
  const create = (widget: number, kind: RuleKind, now: number): TapedEdit => ({
    widget,
    op: op(),
    what: 'create',
    body: { kind, note: null, ...terms(kind, now) },
  })
  const checkpoint = (widget: number): TapedEdit => ({
    widget,
    op: op(),
    what: 'checkpoint',
    ratio: Math.exp((random() - 0.5) / 4),
  })

  const kinds: (RuleKind | null)[] = Array.from(
    { length: widgets },
    (_, widget) => RULE_KIND_NAMES[widget % RULE_KIND_NAMES.length]!,
  )
  const first = kinds.flatMap((kind, widget) => [checkpoint(widget), create(widget, kind!, TAPE_START)])
  const edits: TapedEdit[][] = Array.from({ length }, () => [])
  // One owner's changes come in their order.
  const earliest = kinds.map(() => 0)
  for (let step = 0; step < length; step++) {
    if (!chance(EDITS)) continue
    const widget = Math.floor(random() * widgets)
    const at = Math.max(earliest[widget]!, chance(0.3) ? step + 1 + Math.floor(random() * LATEST) : step)
    if (at >= length) continue
    earliest[widget] = at
    const now = TAPE_START + at * MINUTE
    const kind = kinds[widget]!
    if (kind === null) {
      const next = oneOf(RULE_KIND_NAMES)
      kinds[widget] = next
      edits[at]!.push(create(widget, next, now))
    } else if (chance(0.1)) {
      kinds[widget] = null
      edits[at]!.push({ widget, op: op(), what: 'remove' })
    } else if (chance(0.15)) {
      edits[at]!.push(checkpoint(widget))
    } else {
      const { level, margin, window, hold_minutes, repeat, loudness, expires_at } = terms(kind, now)
      const body = oneOf<Extract<TapedEdit, { what: 'update' }>['body']>([
        { armed: true },
        { armed: true },
        { armed: true, level, margin },
        { armed: false },
        { level, margin, window },
        { hold_minutes, repeat },
        { loudness, expires_at },
      ])
      edits[at]!.push({ widget, op: op(), what: 'update', body })
    }
  }
  return { first, edits }
}

const DAYS = 120

/** Daily closes up to yesterday, about where the tape's prices wander. */
export function tapedCloses(now: number): DailyMatrix {
  const firstDay = Math.floor(now / DAY) - DAYS
  const close = (coin: number, day: number): number => {
    const random = seeded(day * 100 + coin)
    return 40 * Math.exp(0.15 * (random() + random() + random() - 1.5))
  }
  return {
    source: 'coingecko',
    firstDay,
    days: DAYS,
    ranked: TAPE_COINS.length,
    coins: TAPE_COINS as readonly CoinId[],
    prices: Float32Array.from({ length: TAPE_COINS.length * DAYS }, (_, i) =>
      close(Math.floor(i / DAYS), firstDay + (i % DAYS)),
    ),
  }
}

/** A point of history from before the tape: bucket and price. Level 0: a day of five minutes, 1: a week of half hours. */
export function pointsBefore(): {
  readonly coin: string
  readonly level: 0 | 1
  readonly bucket: number
  readonly usd: number
}[] {
  const until = TAPE_START / (5 * MINUTE)
  return TAPE_COINS.flatMap((coin, index) =>
    ([0, 1] as const).flatMap((level) => {
      const random = seeded(index * 2 + level)
      const units = level === 0 ? 1 : 6
      return Array.from({ length: level === 0 ? 288 : 336 }, (_, ago) => ({
        coin,
        level,
        bucket: until - (ago + 1) * units,
        usd: 40 * Math.exp(0.12 * (random() + random() - 1)),
      }))
    }),
  )
}
