import { MAX_HOLD_MINUTES, MAX_MARGIN } from './alerts'
import { type CoinPrices, makesRatio } from './coin-prices'
import { COIN_ID_PATTERN, type CoinId } from './ids'
import {
  defaultMargin,
  LONGEST_RULE_NOTE,
  RULE_LOUDNESSES,
  RULE_REPEATS,
  type RuleKind,
  type RuleLoudness,
  ruleProblem,
  type RuleWindow,
} from './rule-kinds'
import { isRuleKind } from './rule-words'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from './series'

/** The file that "Download setup" writes and "Load setup" reads; decision 0123. */
const SETUP_FORMAT = 'crypto-ratio-tracker-setup'
/** Raised when an older app would read a file wrongly; a field that may be absent needs no new version. */
const SETUP_VERSION = 1
/** Bytes. Fifty pairs with twenty checkpoints each are about 100 kB. */
export const MAX_SETUP_BYTES = 2_000_000
const MAX_PAIRS = 1_000
const MAX_CHECKPOINTS = 1_000

export interface SetupCheckpoint {
  readonly ratio: number
  /** Of which the ratio is made; absent: not known, as in files of earlier versions. */
  readonly prices?: CoinPrices
  /** ISO 8601. */
  readonly saved_at: string
  readonly is_default: boolean
}

/** An alert of a pair beside its thresholds, as the wire has it. */
export interface SetupRule {
  readonly kind: RuleKind
  readonly level: number
  readonly window: RuleWindow | null
  readonly margin: number
  readonly hold_minutes: number
  readonly repeat: (typeof RULE_REPEATS)[number]
  readonly expires_at: string | null
  readonly loudness: RuleLoudness
  readonly note: string | null
}

/** Reads a setting of a pair from a file: undefined where it is none. A file of an earlier version may lack it. */
interface FileSetting<T> {
  readonly read: (value: unknown) => T | undefined
  readonly problem: (pair: string) => string
}
const threshold: FileSetting<number | null> = {
  read: (value) => (isThreshold(value) ? value : undefined),
  problem: (pair) => `a threshold of ${pair} is not a number that a ratio can have`,
}
const alertSwitch: FileSetting<boolean> = {
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  problem: (pair) => `${pair} does not say whether its alerts are on`,
}
/** Absent in files of earlier versions. */
const numberUpTo = (most: number, name: string): FileSetting<number> => ({
  read: (value = 0) => (typeof value === 'number' && value >= 0 && value <= most ? value : undefined),
  problem: (pair) => `the ${name} of ${pair} is not a number from 0 to ${most}`,
})
const holdSetting = numberUpTo(MAX_HOLD_MINUTES, 'hold')
/** The settings of a pair by their names in a file. */
const PAIR_SETTINGS = {
  high: threshold,
  low: threshold,
  high_armed: alertSwitch,
  low_armed: alertSwitch,
  alerts: alertSwitch,
  margin: numberUpTo(MAX_MARGIN, 'margin'),
  hold_minutes: holdSetting,
}
export type PairSettings = {
  readonly [S in keyof typeof PAIR_SETTINGS]: (typeof PAIR_SETTINGS)[S] extends FileSetting<infer T> ? T : never
}

export interface SetupPair extends PairSettings {
  readonly base: CoinId
  readonly quote: CoinId
  readonly checkpoints: readonly SetupCheckpoint[]
  readonly rules: readonly SetupRule[]
}

/** A device's display settings under its own names; a reader takes those that it knows. */
export type SetupDevice = Readonly<Record<string, string | number | boolean>>

export interface Setup {
  /** In the order of the board. */
  readonly pairs: readonly SetupPair[]
  readonly device: SetupDevice
}

export type ReadSetup =
  | {
      readonly ok: true
      readonly setup: Setup
      readonly checksum: string
      /** The text that the checksum must fit. */
      readonly covered: string
    }
  | { readonly ok: false; readonly problem: string }

/** JSON with the keys of every object in alphabetical order and no spaces: equal contents give equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )

/**
 * The text of a setup's file. Its `checksum` is that of the canonical text of all other fields.
 * @param sha256 gives hexadecimal digits
 */
export async function writeSetup(
  setup: Setup,
  now: number,
  sha256: (text: string) => Promise<string>,
): Promise<string> {
  const rest = { format: SETUP_FORMAT, version: SETUP_VERSION, saved_at: new Date(now).toISOString(), setup }
  return `${JSON.stringify({ ...rest, checksum: await sha256(canonicalJson(rest)) }, null, 2)}\n`
}

const NOT_A_SETUP = 'This file is not a setup of Crypto Ratio Tracker.'
export const SETUP_TOO_LARGE = 'This file is too large to be a setup.'
export const SETUP_DAMAGED = 'This setup is damaged or was changed: its checksum does not fit.'
const TOO_NEW = 'This setup was saved by a newer version of the app. Update the app, and load it again.'
const wrong = (what: string): Error => new SetupProblem(`This setup cannot be loaded: ${what}.`)

class SetupProblem extends Error {}

/** Reads a setup file. The caller compares the checksum, since hashing is asynchronous. */
export function readSetup(text: string): ReadSetup {
  try {
    return { ok: true, ...parsed(text) }
  } catch (error) {
    if (error instanceof SetupProblem) return { ok: false, problem: error.message }
    // Nested more deeply than the stack allows: no file of the app.
    if (error instanceof RangeError) return { ok: false, problem: NOT_A_SETUP }
    throw error
  }
}

function parsed(text: string): Omit<Extract<ReadSetup, { ok: true }>, 'ok'> {
  const file = parseJson(text)
  if (!isRecord(file) || file['format'] !== SETUP_FORMAT) throw new SetupProblem(NOT_A_SETUP)
  const { checksum, ...rest } = file
  const { version, setup } = rest
  if (typeof version === 'number' && version > SETUP_VERSION) throw new SetupProblem(TOO_NEW)
  if (version !== SETUP_VERSION || typeof checksum !== 'string' || !isRecord(setup)) throw new SetupProblem(NOT_A_SETUP)
  return {
    setup: { pairs: pairsOf(setup['pairs']), device: deviceOf(setup['device']) },
    checksum,
    covered: canonicalJson(rest),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SetupProblem(NOT_A_SETUP)
  }
}

function pairsOf(value: unknown): readonly SetupPair[] {
  if (!Array.isArray(value)) throw wrong('its list of pairs is missing')
  if (value.length > MAX_PAIRS) throw wrong(`it has more than ${MAX_PAIRS} pairs`)
  const pairs = value.map(pairOf)
  const names = pairs.map(({ base, quote }) => `${base}/${quote}`)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) throw wrong(`it names the pair ${twice} twice`)
  return pairs
}

function pairOf(value: unknown, place: number): SetupPair {
  const where = `pair ${place + 1}`
  if (!isRecord(value)) throw wrong(`${where} is not a pair`)
  // Files of earlier versions have no rules.
  const { base, quote, checkpoints, rules = [] } = value
  if (!isCoin(base) || !isCoin(quote)) throw wrong(`${where} does not name its coins`)
  if (base === quote) throw wrong(`${where} compares ${base} with itself`)
  const settings = Object.entries(PAIR_SETTINGS).map(([name, { read, problem }]) => {
    const setting = read(value[name])
    if (setting === undefined) throw wrong(problem(where))
    return [name, setting] as const
  })
  if (!Array.isArray(checkpoints) || checkpoints.length > MAX_CHECKPOINTS || !checkpoints.every(isCheckpoint)) {
    throw wrong(`a checkpoint of ${where} is not one`)
  }
  if (checkpoints.filter(({ is_default }) => is_default).length > 1) throw wrong(`${where} has two default checkpoints`)
  const saved = checkpoints.map(({ ratio, prices, saved_at, is_default }) => ({
    ratio,
    ...(prices !== undefined && { prices: { a: prices.a, b: prices.b } }),
    saved_at: new Date(saved_at).toISOString(),
    is_default,
  }))
  return {
    base,
    quote,
    ...(Object.fromEntries(settings) as PairSettings),
    checkpoints: saved,
    rules: rulesOf(rules, where),
  }
}

const MAX_RULES = 1_000

function rulesOf(value: unknown, where: string): readonly SetupRule[] {
  const rules = Array.isArray(value) && value.length <= MAX_RULES ? value.map(ruleOf) : [null]
  return rules.map((rule) => {
    if (rule === null) throw wrong(`an alert of ${where} is not one`)
    return rule
  })
}

/** Null: it is none. */
function ruleOf(value: unknown): SetupRule | null {
  if (!isRecord(value)) return null
  const { kind, level, window = null, hold_minutes = 0, repeat = 'each', loudness = 'buzz', expires_at, note } = value
  if (typeof kind !== 'string' || !isRuleKind(kind) || typeof level !== 'number') return null
  const { margin = defaultMargin(kind, level) } = value
  if (typeof margin !== 'number' || !(margin >= 0)) return null
  const isFitting =
    ruleProblem(kind, { level, window: window as RuleWindow | null, margin }) === null &&
    holdSetting.read(hold_minutes) === hold_minutes &&
    RULE_REPEATS.some((one) => one === repeat) &&
    RULE_LOUDNESSES.some((one) => one === loudness) &&
    (expires_at == null || isTime(expires_at)) &&
    (note == null || (typeof note === 'string' && note.length <= LONGEST_RULE_NOTE && !note.includes('\0')))
  if (!isFitting) return null
  return {
    kind,
    level,
    window: window as RuleWindow | null,
    margin,
    hold_minutes: hold_minutes as number,
    repeat: repeat as SetupRule['repeat'],
    expires_at: expires_at == null ? null : new Date(expires_at).toISOString(),
    loudness: loudness as RuleLoudness,
    note: note ?? null,
  }
}

/** Keeps plain values; other settings are another version's. */
function deviceOf(value: unknown): SetupDevice {
  const isPlain = (setting: unknown) => ['string', 'boolean'].includes(typeof setting) || Number.isFinite(setting)
  const settings = isRecord(value) ? Object.entries(value).filter(([, setting]) => isPlain(setting)) : []
  return Object.fromEntries(settings) as SetupDevice
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCoin = (value: unknown): value is CoinId => typeof value === 'string' && COIN_ID_PATTERN.test(value)

const isRatio = (value: unknown): value is number =>
  typeof value === 'number' && value >= LEAST_POSITIVE && value <= LARGEST_POSITIVE

const isMadeOf = (value: unknown, ratio: number): boolean =>
  isRecord(value) &&
  typeof value['a'] === 'number' &&
  typeof value['b'] === 'number' &&
  makesRatio({ a: value['a'], b: value['b'] }, ratio)

const isThreshold = (value: unknown): value is number | null => value === null || isRatio(value)

/** Between the first bitcoin and the year 2100, as the server takes them. */
const isTime = (value: unknown): value is string => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return at >= Date.UTC(2009, 0, 1) && at < Date.UTC(2100, 0, 1)
}

const isCheckpoint = (value: unknown): value is SetupCheckpoint =>
  isRecord(value) &&
  isRatio(value['ratio']) &&
  (value['prices'] === undefined || isMadeOf(value['prices'], value['ratio'])) &&
  isTime(value['saved_at']) &&
  typeof value['is_default'] === 'boolean'
