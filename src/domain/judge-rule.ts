import { judgeLevels } from './alerts'
import { factsOf, type RULE_REPEATS, type RuleKind } from './rule-kinds'

/** A rule as its owner has set it. */
export interface RuleTerms {
  readonly kind: RuleKind
  readonly level: number
  /** In the level's unit. */
  readonly margin: number
  readonly holdMinutes: number
  readonly repeat: (typeof RULE_REPEATS)[number]
  /** Milliseconds; null: never. */
  readonly expiresAt: number | null
}

/** State of a rule that judging changes. A measure of a kind that fires below its level has the other sign. */
export interface RuleMemory {
  readonly armed: boolean
  /** It is not armed again by itself: it has fired once, or is over. */
  readonly ended: boolean
  readonly epoch: number
  /** Milliseconds; as `RuleState`. */
  readonly dueAt: number | null
  /**
   * Measure that the level is reckoned from: the checkpoint's, or the one from which a trailing rule was last passed or left
   * behind. Null: there is no checkpoint, or no measure since it was armed; and of a kind that has none.
   */
  readonly anchor: number | null
}

export type RuleVerdict = 'fired' | 'expired' | 'back' | 'held' | 'left' | 'followed' | 'same'

/** A trailing rule notes a new extreme that is so much of its level beyond the last. */
const NOTED_SHARE = 1 / 20

const perCent = (share: number): number => share / 100

/** Measures at which a rule's state changes; null: at none. */
function levelsOf({ kind, level, margin }: RuleTerms, { armed, anchor }: RuleMemory) {
  const { sign, anchor: from } = factsOf(kind)
  if (from === null) return { fires: sign * level, back: sign * level - margin, passed: null, leftBehind: null }
  if (anchor === null) return null
  const at = (change: number) => anchor * (1 + sign * perCent(change))
  if (from === 'checkpoint') return { fires: at(level), back: at(level - margin), passed: null, leftBehind: null }
  return {
    fires: at(level),
    back: at(-Math.max(margin, level * NOTED_SHARE)),
    passed: armed ? null : at(level * NOTED_SHARE),
    leftBehind: armed ? at(-level * NOTED_SHARE) : null,
  }
}

/** The ratio that is the level of a rule on the ratio; null: it is on another measure, or has no level yet. */
export function firesAtRatio(terms: RuleTerms, memory: RuleMemory): number | null {
  const { measure, sign } = factsOf(terms.kind)
  const levels = measure === 'ratio' ? levelsOf(terms, { ...memory, armed: true }) : null
  return levels && sign * levels.fires
}

/**
 * The measures at which a rule is to be looked at: beyond `above`, and at `below` or below it. Between them, and before the
 * times of the rule, nothing changes. Null: no such measure.
 */
export function turnsOf(
  terms: RuleTerms,
  memory: RuleMemory,
): { readonly above: number | null; readonly below: number | null } {
  if (memory.ended) return { above: null, below: null }
  const levels = levelsOf(terms, memory)
  if (levels === null) return { above: factsOf(terms.kind).anchor === 'extreme' ? -Infinity : null, below: null }
  if (!memory.armed) return { above: levels.passed, below: levels.back }
  return memory.dueAt === null
    ? { above: levels.fires, below: levels.leftBehind }
    : { above: null, below: levels.fires }
}

/**
 * Judges a rule by a measure of its pair. A trailing rule follows the extreme since it was armed; once it has fired, the furthest
 * measure since. Judged again by the same measure at the same time, it stays as it is.
 * @param measure null: not known now
 * @param now milliseconds
 */
export function judgeRule(
  terms: RuleTerms,
  memory: RuleMemory,
  measure: number | null,
  now: number,
): { readonly verdict: RuleVerdict; readonly memory: RuleMemory } {
  const same = { verdict: 'same', memory } as const
  if (memory.ended) return same
  if (terms.expiresAt !== null && terms.expiresAt <= now) {
    // The end is an event of an epoch that has none yet.
    const epoch = memory.armed ? memory.epoch : memory.epoch + 1
    return { verdict: 'expired', memory: { ...memory, armed: false, ended: true, epoch, dueAt: null } }
  }
  if (measure === null || !Number.isFinite(measure)) return same
  const isTrailing = factsOf(terms.kind).anchor === 'extreme'
  // No share of it is a level.
  if (isTrailing && measure === 0) return same
  const levels = levelsOf(terms, memory)
  if (levels === null) return isTrailing ? { verdict: 'followed', memory: { ...memory, anchor: measure } } : same
  const { passed, leftBehind } = levels
  const isFollowed = (passed !== null && measure > passed) || (leftBehind !== null && measure <= leftBehind)
  if (isFollowed && memory.dueAt === null) {
    return memory.anchor === measure ? same : { verdict: 'followed', memory: { ...memory, anchor: measure } }
  }
  const { verdict, state } = judgeLevels({ ...levels, holdMinutes: terms.holdMinutes }, measure, memory, now)
  if (verdict === 'same') return same
  const anchor = isTrailing && (verdict === 'fired' || verdict === 'back' || isFollowed) ? measure : memory.anchor
  return {
    verdict,
    memory: {
      ...state,
      ended: verdict === 'fired' && terms.repeat === 'once',
      epoch: verdict === 'back' ? memory.epoch + 1 : memory.epoch,
      anchor,
    },
  }
}
