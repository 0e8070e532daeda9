import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { MAX_HOLD_MINUTES } from '../../domain/alerts'
import { readHold, readUpTo } from '../../domain/margin-words'
import {
  defaultMargin,
  factsOf,
  LONGEST_RULE_NOTE,
  RULE_KIND_NAMES,
  type RuleKind,
  ruleProblem,
  type RuleWindow,
} from '../../domain/rule-kinds'
import { windowWords } from '../../domain/rule-words'
import type { SetupRule } from '../../domain/setup-file'
import { Disclosure } from '../../ui/disclosure'
import { Field, TextArea, TextInput } from '../../ui/field'
import { Spin } from '../../ui/spin'
import fieldStyles from '../../ui/field.module.css'
import { KIND_OPTIONS, ruleSentence } from './rule-sentence'
import styles from './rules.module.css'

/** The form as it opens: the alert that most people want, so that it takes no choice. */
const FIRST_KIND: RuleKind = 'move'
const USUAL_LEVEL = { '%': '5', deviations: '2' } as const
const USUAL_WINDOWS: readonly RuleWindow[] = ['24h', 90]

interface Texts {
  readonly kind: RuleKind
  readonly level: string
  readonly window: RuleWindow | null
  /** Empty: the usual one of the level. */
  readonly margin: string
  readonly hold: string
  readonly repeat: 'each' | 'once'
  /** A day as `<input type="date">` has it; empty: never. */
  readonly expires: string
  readonly loudness: 'buzz' | 'quiet' | 'log'
  readonly note: string
}

/** A kind's usual level and window. */
function usualOf(kind: RuleKind): Pick<Texts, 'kind' | 'level' | 'window' | 'margin'> {
  const { unit, sign, windows } = factsOf(kind)
  const level = `${unit === 'deviations' && sign < 0 ? '-' : ''}${USUAL_LEVEL[unit]}`
  return { kind, level, window: windows.find((one) => USUAL_WINDOWS.includes(one)) ?? null, margin: '' }
}

const FIRST: Texts = { ...usualOf(FIRST_KIND), hold: '0', repeat: 'each', expires: '', loudness: 'buzz', note: '' }

/** A typed number; null: it is none. */
function readTyped(text: string): number | null {
  const value = text.trim() === '' ? NaN : Number(text.trim().replace(',', '.').replace('−', '-'))
  return Number.isFinite(value) ? value : null
}

interface ReadRule {
  readonly level: number | null
  readonly margin: number | null
  readonly holdMinutes: number | null
  /** Why it can not be saved; null: it can. */
  readonly problem: string | null
}

function readRule({ kind, level: levelText, window, margin: marginText, hold }: Texts): ReadRule {
  const level = readTyped(levelText)
  const { least, most, unit } = factsOf(kind)
  const usual = level === null ? null : defaultMargin(kind, level)
  const margin = marginText.trim() === '' ? usual : readUpTo(marginText, most)
  const problem =
    level === null
      ? `A number from ${least} to ${most} ${unit}.`
      : ruleProblem(kind, { level, window, margin: margin ?? 0 })
  return { level, margin, holdMinutes: readHold(hold), problem }
}

/** The end of a day on this device's clock; null: never. */
const endOf = (day: string): string | null => (day === '' ? null : new Date(`${day}T23:59:59`).toISOString())

/** Null: a text is none of what its field asks for. */
function bodyOf(texts: Texts, { level, margin, holdMinutes, problem }: ReadRule): SetupRule | null {
  if (level === null || margin === null || holdMinutes === null || problem !== null) return null
  const { kind, window, repeat, loudness, expires, note } = texts
  return {
    kind,
    level,
    window,
    margin,
    repeat,
    loudness,
    hold_minutes: holdMinutes,
    expires_at: endOf(expires),
    note: note.trim() === '' ? null : note.trim(),
  }
}

interface RuleFormProps {
  readonly formId: string
  /** Of a pair that can not be judged by some kinds, such as those since a checkpoint it has none of. */
  readonly hasCheckpoint: boolean
  readonly onSave: (body: SetupRule) => void
}

/** The new alert of a pair, saved by the form's own event. */
export function RuleForm({ formId, hasCheckpoint, onSave }: RuleFormProps) {
  const [texts, setTexts] = useState(FIRST)
  const [isOpen, setOpen] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const more = useRef<HTMLDivElement>(null)
  const moreId = useId()
  const set = (next: Partial<Texts>) => setTexts((before) => ({ ...before, ...next }))
  const read = readRule(texts)
  const { kind, window } = texts
  const isLost = factsOf(kind).anchor === 'checkpoint' && !hasCheckpoint

  const save = () => {
    const body = bodyOf(texts, read)
    if (body !== null) return onSave(body)
    if (read.problem === null) flushSync(() => setOpen(true))
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }
  return (
    <form
      id={formId}
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <MainFields texts={texts} read={read} set={set} />
      <p role="status" className={styles.effect}>
        {read.level !== null && read.problem === null && `${ruleSentence({ kind, level: read.level, window })}.`}
        {isLost && ' This pair has no checkpoint yet: nothing fires before it has one.'}
      </p>
      <Disclosure word="More" isOpen={isOpen} onOpen={setOpen} controls={moreId} region={more} />
      <div id={moreId} ref={more} hidden={!isOpen} className={styles.more}>
        <MoreFields texts={texts} read={read} set={set} />
      </div>
    </form>
  )
}

interface FieldsProps {
  readonly texts: Texts
  readonly read: ReadRule
  readonly set: (next: Partial<Texts>) => void
}

function MainFields({ texts: { kind, window, level }, read, set }: FieldsProps) {
  const { windows, unit, least, most } = factsOf(kind)
  return (
    <>
      <Choice
        label="Kind"
        value={kind}
        options={RULE_KIND_NAMES.map((name) => [name, KIND_OPTIONS[name]])}
        onChange={(name) => set(usualOf(name as RuleKind))}
      />
      <div className={styles.pairOfFields}>
        <Spin
          label="Level"
          hint={unit === '%' ? 'per cent' : 'deviations from the mean'}
          error={read.problem}
          text={level}
          value={read.level}
          least={least}
          most={most}
          step={unit === '%' ? 1 : 0.25}
          onType={(next) => set({ level: next })}
        />
        {windows.length > 0 && (
          <Choice
            label="Window"
            value={String(window)}
            options={windows.map((one) => [String(one), windowWords(one)])}
            onChange={(value) => set({ window: windows.find((one) => String(one) === value) ?? null })}
          />
        )}
      </div>
    </>
  )
}

/** Fields of an alert that few change. */
function MoreFields({ texts, read, set }: FieldsProps) {
  const { unit, most } = factsOf(texts.kind)
  return (
    <>
      <div className={styles.pairOfFields}>
        <Spin
          label="Margin"
          hint="how far it comes back before it is armed again"
          error={read.margin === null ? `A number from 0 to ${most}.` : null}
          text={texts.margin === '' && read.margin !== null ? String(Number(read.margin.toFixed(4))) : texts.margin}
          value={read.margin}
          most={most}
          step={unit === '%' ? 0.25 : 0.05}
          onType={(margin) => set({ margin })}
        />
        <Spin
          label="Hold"
          hint="minutes beyond the level before it fires"
          error={read.holdMinutes === null ? `Whole minutes from 0 to ${MAX_HOLD_MINUTES}.` : null}
          text={texts.hold}
          value={read.holdMinutes}
          most={MAX_HOLD_MINUTES}
          step={5}
          onType={(hold) => set({ hold })}
        />
      </div>
      <div className={styles.pairOfFields}>
        <Choice
          label="Repeat"
          value={texts.repeat}
          options={[
            ['each', 'Each time'],
            ['once', 'Once'],
          ]}
          onChange={(repeat) => set({ repeat: repeat as Texts['repeat'] })}
        />
        <Choice
          label="Loudness"
          value={texts.loudness}
          options={[
            ['buzz', 'With a sound'],
            ['quiet', 'Without a sound'],
            ['log', 'In the log only'],
          ]}
          onChange={(loudness) => set({ loudness: loudness as Texts['loudness'] })}
        />
      </div>
      <EndAndNote texts={texts} set={set} />
    </>
  )
}

const EndAndNote = ({ texts, set }: Omit<FieldsProps, 'read'>) => (
  <>
    <Field label="Ends after" hint="Empty: it does not end by itself.">
      {(control) => (
        <TextInput
          {...control}
          type="date"
          value={texts.expires}
          onChange={(event) => set({ expires: event.currentTarget.value })}
        />
      )}
    </Field>
    <Field label="Note" hint="Comes with the alert.">
      {(control) => (
        <TextArea
          {...control}
          className={styles.note}
          maxLength={LONGEST_RULE_NOTE}
          value={texts.note}
          onChange={(event) => set({ note: event.currentTarget.value })}
        />
      )}
    </Field>
  </>
)

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, words: string])[]
  readonly onChange: (value: string) => void
}

const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <Field label={label}>
    {(control) => (
      <select
        {...control}
        className={fieldStyles.input}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
)
