import { type Ref, useId, useRef, useState } from 'react'
import type { WidgetView } from '../../db/view'
import { type AlertSide, OPPOSITE_SIDE, SIDE_NAMES } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import { pairTitle } from '../../domain/pair'
import {
  checkThreshold,
  distanceFromNow,
  formatStored,
  isFarFromNow,
  presetThreshold,
  sideMeaning,
  thresholdAt,
  type ThresholdEntry,
  writeNumber,
} from '../../domain/threshold-entry'
import { usePairRatio } from '../../state/live-data'
import { useExplainRemoval } from '../../state/explain-removal'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import styles from './threshold-dialog.module.css'

interface ThresholdDialogProps {
  readonly widget: WidgetView
  readonly side: AlertSide
  readonly onClose: () => void
  /** `value`: null clears the threshold. `switchOn`: the pair's alerts as well. Closing is the caller's. */
  readonly onSave: (side: AlertSide, value: number | null, armed: boolean, switchOn: boolean) => void
}

/** Sets one threshold. The text is judged against the ratio as it moves. */
export function ThresholdDialog({ widget, side, onClose, onSave }: ThresholdDialogProps) {
  const { coinA, coinB, notificationsEnabled: alertsOn } = widget
  const ratio = usePairRatio(coinA.id, coinB.id)
  useExplainRemoval(widget.id)
  const present = widget.alerts[side].threshold
  const other = widget.alerts[OPPOSITE_SIDE[side]].threshold
  const [text, setText] = useState(() => prefill(side, present, ratio))
  // An empty field is no mistake before anything was typed or tried.
  const [touched, setTouched] = useState(text !== '')
  const input = useRef<HTMLInputElement>(null)
  const choices = useRef<HTMLDivElement>(null)
  const formId = useId()
  const entry = checkThreshold(side, text, ratio)

  /** In the handler of the click itself: switching alerts on may have to ask for permission. */
  const confirm = (switchOn: boolean) => {
    setTouched(true)
    if (entry.kind === 'ambiguous') choices.current?.querySelector('button')?.focus()
    else if (entry.kind !== 'invalid') onSave(side, entry.value, entry.kind === 'armed', switchOn)
  }
  const choose = (value: number) => {
    setText(writeNumber(value, ratio))
    setTouched(true)
  }
  const set = entry.kind === 'disarmed' ? 'Save Disarmed' : 'Set & Arm Alert'
  return (
    <Dialog
      title={`${pairTitle(widget)} - ${SIDE_NAMES[side]} Alert`}
      onClose={onClose}
      footer={
        <>
          {present === null ? (
            <Button onClick={onClose}>Cancel</Button>
          ) : (
            <Button onClick={() => onSave(side, null, true, false)}>Clear threshold</Button>
          )}
          {!alertsOn && <Button onClick={() => confirm(false)}>{set}</Button>}
          <Button variant="primary" type="submit" form={formId}>
            {alertsOn ? set : 'Set & switch alerts on'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          confirm(!alertsOn)
        }}
      >
        <p className={styles.meaning}>{sideMeaning(side, coinA.symbol, coinB.symbol)}</p>
        <p className={styles.current}>
          Current ratio <strong>{formatRatio(ratio)}</strong>
        </p>
        <Field
          label="Threshold"
          hint={
            <ThresholdEcho
              side={side}
              entry={entry}
              ratio={ratio}
              alertsOn={alertsOn}
              isOtherSet={other !== null}
              questionId={`${formId}-which`}
            />
          }
          error={entry.kind === 'invalid' && touched ? entry.message : null}
        >
          {(control) => (
            <TextInput
              {...control}
              ref={input}
              data-autofocus
              className={styles.input}
              inputMode="decimal"
              autoComplete="off"
              value={text}
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => {
                setText(event.currentTarget.value)
                setTouched(true)
              }}
            />
          )}
        </Field>
        <ThresholdChoices
          ref={choices}
          side={side}
          entry={entry}
          ratio={ratio}
          questionId={`${formId}-which`}
          onChoose={choose}
          onAnswer={(value) => {
            choose(value)
            // The answered question goes, and the focus with it.
            input.current?.focus()
          }}
        />
      </form>
    </Dialog>
  )
}

function prefill(side: AlertSide, present: number | null, ratio: number | null): string {
  const value = present ?? (ratio === null ? null : presetThreshold(side, ratio))
  return value === null ? '' : writeNumber(value, ratio)
}

interface ThresholdEchoProps {
  readonly side: AlertSide
  readonly entry: ThresholdEntry
  /** Null: not known. */
  readonly ratio: number | null
  readonly alertsOn: boolean
  /** The other side has a threshold; without one it gets its own when alerts are switched on. */
  readonly isOtherSet: boolean
  /** Of the question that names the choices. */
  readonly questionId: string
}

const PROMISES = {
  high: 'You are alerted when the ratio rises above this value.',
  low: 'You are alerted when the ratio falls below this value.',
} as const

/** Says what else switching alerts on changes, as the switch on the card does. */
const OTHER_SIDE = {
  high: 'Switching them on also sets Low, 5\u00A0% below now.',
  low: 'Switching them on also sets High, 5\u00A0% above now.',
} as const

/** The number that was understood, how far it lies from the ratio, and what becomes of it. */
function ThresholdEcho({ side, entry, ratio, alertsOn, isOtherSet, questionId }: ThresholdEchoProps) {
  return (
    <span role="status" className={styles.echo}>
      {entry.kind === 'ambiguous' ? (
        <span id={questionId} className={styles.warn}>
          Two numbers are written like this. Which one do you mean?
        </span>
      ) : (
        <>
          {entry.kind !== 'invalid' && <Understood value={entry.value} ratio={ratio} />}
          <span className={entry.kind === 'disarmed' ? styles.warn : undefined}>
            {entry.kind === 'disarmed' ? entry.message : PROMISES[side]}
          </span>
          {!alertsOn && (
            <span>
              Alerts of this pair are off: nobody is told.
              {!isOtherSet && ratio !== null && ` ${OTHER_SIDE[side]}`}
            </span>
          )}
        </>
      )}
    </span>
  )
}

function Understood({ value, ratio }: { readonly value: number; readonly ratio: number | null }) {
  const distance = distanceFromNow(value, ratio)
  return (
    <>
      <span className={styles.value}>
        = {formatStored(value)}
        {distance !== null && `, ${distance}`}
      </span>
      {isFarFromNow(value, ratio) && (
        <span className={styles.warn}>
          More than 50{'\u00A0'}% away from the current ratio: is this the number you mean?
        </span>
      )}
    </>
  )
}

interface ThresholdChoicesProps {
  readonly ref: Ref<HTMLDivElement>
  readonly side: AlertSide
  readonly entry: ThresholdEntry
  /** Null: not known. */
  readonly ratio: number | null
  readonly questionId: string
  readonly onChoose: (value: number) => void
  /** One of the two numbers that the text may be. */
  readonly onAnswer: (value: number) => void
}

const STEPS = [2, 5, 10] as const
const SIGNS = { high: '+', low: '−' } as const

/** Thresholds by one press: at a distance from the ratio, or the two numbers that the typed text may be. */
function ThresholdChoices({ ref, side, entry, ratio, questionId, onChoose, onAnswer }: ThresholdChoicesProps) {
  if (entry.kind === 'ambiguous') {
    return (
      <div ref={ref} role="group" aria-labelledby={questionId} className={styles.choices}>
        {entry.values.map((value) => (
          <Button key={value} size="sm" className={styles.reading} onClick={() => onAnswer(value)}>
            {formatStored(value)}
            <span className={styles.distance}>{distanceFromNow(value, ratio)}</span>
          </Button>
        ))}
      </div>
    )
  }
  if (ratio === null) return null
  return (
    <div ref={ref} role="group" aria-label="Distance from the current ratio" className={styles.choices}>
      {STEPS.map((percent) => {
        const value = thresholdAt(side, percent, ratio)
        return (
          value !== null && (
            <Button key={percent} size="sm" onClick={() => onChoose(value)}>
              {SIGNS[side]}
              {percent}
              {'\u00A0'}%
            </Button>
          )
        )
      })}
    </div>
  )
}
