import type { CreateWidgetBody, SnoozeBody, UpdateWidgetBody, Widget } from '../contract/widget'
import type { PairSettings } from '../domain/setup-file'

/** A snooze is none: it is of the moment. */
type SettingName = Exclude<keyof UpdateWidgetBody, keyof SnoozeBody>
type WidgetSettings = Readonly<Pick<Widget, SettingName>>

/** Names of a setup file's settings with values of this type. */
type NamesInFile<T> = {
  [N in keyof PairSettings]: [T, PairSettings[N]] extends [PairSettings[N], T] ? N : never
}[keyof PairSettings]

interface SettingRule<S extends SettingName> {
  /** Of a pair that was just made. */
  readonly initial: Widget[S]
  /** Two copies of a pair differ if this differs: the user alone changes it. The server disarms a side that has fired. */
  readonly isCompared: boolean
  /** Its name in a setup file. */
  readonly travels: NamesInFile<Widget[S]>
  /** A create takes it. */
  readonly isCreated: S extends keyof CreateWidgetBody ? boolean : false
  /** Follows in an update together with that setting, where that one is not as a create makes it. */
  readonly with?: SettingName
}

/**
 * The settings of a widget, which a guest's pair keeps on its way to an account and a pair in a setup file. A field of
 * `UpdateWidgetBody` without a row does not compile.
 */
const WIDGET_SETTINGS = {
  high_threshold: { initial: null, isCompared: true, travels: 'high', isCreated: true, with: 'high_threshold_active' },
  low_threshold: { initial: null, isCompared: true, travels: 'low', isCreated: true, with: 'low_threshold_active' },
  notifications_enabled: { initial: false, isCompared: true, travels: 'alerts', isCreated: true },
  alert_margin: { initial: 0, isCompared: true, travels: 'margin', isCreated: false },
  alert_hold_minutes: { initial: 0, isCompared: true, travels: 'hold_minutes', isCreated: false },
  high_threshold_active: { initial: true, isCompared: false, travels: 'high_armed', isCreated: false },
  low_threshold_active: { initial: true, isCompared: false, travels: 'low_armed', isCreated: false },
} as const satisfies { readonly [S in SettingName]: SettingRule<S> }

const NAMES = Object.keys(WIDGET_SETTINGS) as readonly SettingName[]
const COMPARED = NAMES.filter((name) => WIDGET_SETTINGS[name].isCompared)

interface AnyRule {
  readonly initial: unknown
  readonly travels: keyof PairSettings
  readonly isCreated: boolean
  readonly with?: SettingName
}
const rule = (name: SettingName): AnyRule => WIDGET_SETTINGS[name]
const record = (names: readonly SettingName[], valueOf: (name: SettingName) => unknown): unknown =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)]))

export const INITIAL_SETTINGS = record(NAMES, (name) => rule(name).initial) as WidgetSettings

/** A row of an earlier version may lack a setting. */
const valueOf = (widget: WidgetSettings, name: SettingName) => widget[name] ?? rule(name).initial

/** The user's decisions about a pair, in one order. */
export const decisionsOf = (widget: WidgetSettings): readonly unknown[] => COMPARED.map((name) => valueOf(widget, name))

export const hasDecisions = (widget: WidgetSettings): boolean =>
  COMPARED.some((name) => valueOf(widget, name) !== rule(name).initial)

/** Settings that are not as a create without them makes them. */
export const changedSettings = (widget: WidgetSettings): UpdateWidgetBody =>
  record(
    NAMES.filter((name) => valueOf(widget, name) !== rule(name).initial),
    (name) => valueOf(widget, name),
  ) as UpdateWidgetBody

/** The settings by the names of a setup file. */
export const settingsInFile = (widget: WidgetSettings): PairSettings =>
  Object.fromEntries(NAMES.map((name) => [rule(name).travels, valueOf(widget, name)])) as PairSettings

export const settingsOfFile = (pair: PairSettings): WidgetSettings =>
  record(NAMES, (name) => pair[rule(name).travels]) as WidgetSettings

interface Requests {
  readonly create: Omit<CreateWidgetBody, 'coin_a_id' | 'coin_b_id'>
  /** Null: the create says all. */
  readonly update: UpdateWidgetBody | null
}

/** The bodies that make a pair with these settings: what a create cannot say follows in an update. */
export function requestsFor(settings: WidgetSettings): Requests {
  const changed = changedSettings(settings)
  const follows = (name: SettingName | undefined): boolean =>
    name !== undefined && ((name in changed && !rule(name).isCreated) || follows(rule(name).with))
  const rest = Object.entries(changed).filter(([name]) => follows(name as SettingName))
  return {
    create: record(
      NAMES.filter((name) => rule(name).isCreated),
      (name) => (follows(name) ? rule(name).initial : valueOf(settings, name)),
    ) as Requests['create'],
    update: rest.length === 0 ? null : Object.fromEntries(rest),
  }
}

/** The create's body of a pair of which all settings follow. */
export const BARE_CREATE = requestsFor(INITIAL_SETTINGS).create
