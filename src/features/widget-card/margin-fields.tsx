import { useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { RatioHistory } from '../../../workers/api'
import type { WidgetChange, WidgetView } from '../../db/view'
import { minutesWords } from '../../domain/alert-words'
import { type AlertRule, backLevel, MAX_HOLD_MINUTES, MAX_MARGIN } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import {
  alertsSentence,
  type MarginAndHold,
  marginWords,
  percentOf,
  readHold,
  readMargin,
} from '../../domain/margin-words'
import { closesByDay, proposedMargin } from '../../domain/proposed-margin'
import { useAlertFeature } from '../../state/server-settings'
import { Disclosure } from '../../ui/disclosure'
import { Spin } from '../../ui/spin'
import { useRested } from './threshold-past'
import styles from './threshold-dialog.module.css'

type MarginDraft = ReturnType<typeof useMarginDraft>

/** Margin and hold as they are typed; of a pair without thresholds the proposed margin, once its past is known. */
export function useMarginDraft(
  { rules, margin: kept, holdMinutes: keptHold }: WidgetView,
  history: RatioHistory | null,
) {
  const isOffered = useAlertFeature('margin')
  const isNew = rules.length === 0 && kept === 0
  const [typed, setTyped] = useState<{ readonly margin?: string; readonly hold?: string }>({})
  const [isOpen, setOpen] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const proposed = useMemo(
    () => (isNew && history !== null ? proposedMargin(closesByDay(history)) : null),
    [isNew, history],
  )
  const texts = {
    margin: typed.margin ?? String(percentOf(proposed ?? kept)),
    hold: typed.hold ?? String(keptHold),
  }
  const read = { margin: readMargin(texts.margin), holdMinutes: readHold(texts.hold) }
  const { margin, holdMinutes } = read
  const set: MarginAndHold | null = margin === null || holdMinutes === null ? null : { margin, holdMinutes }
  return {
    isOffered,
    isNew,
    isOpen,
    setOpen,
    fields,
    /** Null: none, or the user has typed another. */
    proposed: typed.margin === undefined ? proposed : null,
    texts,
    read,
    set,
    type: (next: typeof typed) => setTyped((before) => ({ ...before, ...next })),
    /** The typed change of the widget; null: a text is no margin or no hold, and its field has the focus. */
    take(): WidgetChange | null {
      if (!isOffered) return {}
      if (set !== null) {
        return {
          ...(set.margin !== kept && { margin: set.margin }),
          ...(set.holdMinutes !== keptHold && { holdMinutes: set.holdMinutes }),
        }
      }
      flushSync(() => setOpen(true))
      fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
      return null
    },
  }
}

interface MarginFieldsProps extends Pick<AlertRule, 'kind'> {
  readonly draft: MarginDraft
  /** Null: the text is no threshold. */
  readonly value: number | null
  readonly history: RatioHistory | null
}

/** Margin and hold of both thresholds, and what they would have done to this threshold's alerts. */
export function MarginFields({ draft, kind, value, history }: MarginFieldsProps) {
  const id = useId()
  const { isOpen, setOpen, texts, read, type, fields } = draft
  if (!draft.isOffered) return null
  return (
    <div className={styles.more}>
      <MarginEffect draft={draft} kind={kind} value={value} history={history} />
      <Disclosure word="More" isOpen={isOpen} onOpen={setOpen} controls={id} region={fields} />
      <div id={id} ref={fields} hidden={!isOpen} className={styles.spins}>
        <Spin
          label="Margin"
          hint="% of the threshold that the ratio comes back before it is armed again"
          error={read.margin === null ? `A number from 0 to ${100 * MAX_MARGIN}.` : null}
          text={texts.margin}
          value={read.margin === null ? null : percentOf(read.margin)}
          most={100 * MAX_MARGIN}
          step={0.1}
          onType={(margin) => type({ margin })}
        />
        <Spin
          label="Hold"
          hint="minutes beyond the threshold before it fires"
          error={read.holdMinutes === null ? `Whole minutes from 0 to ${MAX_HOLD_MINUTES}.` : null}
          text={texts.hold}
          value={read.holdMinutes}
          most={MAX_HOLD_MINUTES}
          step={5}
          onType={(hold) => type({ hold })}
        />
        <p className={styles.both}>Both thresholds of the pair have the same margin and hold.</p>
      </div>
    </div>
  )
}

/** The effect of margin and hold, in numbers of this threshold and its past; empty while there are neither and nobody asks. */
function MarginEffect({ draft: { isNew, isOpen, proposed, set }, kind, value, history }: MarginFieldsProps) {
  const isAsked = isOpen || proposed !== null || (set !== null && (set.margin > 0 || set.holdMinutes > 0))
  const [margin, holdMinutes] = [set?.margin ?? null, set?.holdMinutes ?? null]
  const words = useMemo(() => {
    if (!isAsked || margin === null || holdMinutes === null || value === null) return ''
    const rule = { kind, level: value, margin, holdMinutes }
    return [
      proposed !== null && `A margin of ${marginWords(proposed)} is proposed for this pair.`,
      holdMinutes > 0 && `Fires after ${minutesWords(holdMinutes)} beyond.`,
      margin > 0 && `Once it has fired, it is armed again at ${formatRatio(backLevel(rule))}.`,
      history !== null && alertsSentence(history, [rule], rule),
    ]
      .filter(Boolean)
      .join(' ')
  }, [isAsked, margin, holdMinutes, proposed, kind, value, history])
  return (
    <p role="status" className={styles.effect} data-new={isNew}>
      {useRested(words)}
    </p>
  )
}
