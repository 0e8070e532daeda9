import { useAtomValue } from 'jotai'
import { type Ref, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { RatioHistory } from '../../../workers/api'
import { findWidget, type WidgetView } from '../../db/view'
import { type AlertSide, OPPOSITE_SIDE, SIDE_LOOKS, SIDES } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import { pairTitle } from '../../domain/pair'
import {
  checkThreshold,
  distanceFromNow,
  formatStored,
  isFarFromNow,
  sideMeaning,
  type ThresholdEntry,
} from '../../domain/threshold-entry'
import { presetThreshold, thresholdAt } from '../../domain/preset-thresholds'
import type { WidgetId } from '../../domain/ids'
import { writeNumber } from '../../domain/read-number'
import { thresholdsOfPast } from '../../domain/threshold-past'
import { useExplainRemoval } from '../../state/explain-removal'
import { boardAtom, usePairRatio } from '../../state/live-data'
import { useRatioHistory } from '../../state/ratio-history'
import { useAlertSwitch, useUpdateWidget } from '../../state/use-command'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import { MarginFields, useMarginDraft } from './margin-fields'
import { BreakEven, ThresholdPast } from './threshold-past'
import styles from './threshold-dialog.module.css'

interface ThresholdDialogProps {
  readonly widget: WidgetView
  readonly side: AlertSide
  readonly onClose: () => void
  /** Switches the pair's alerts on; called in the handler of the click, since the browser may have to ask for permission. */
  readonly onSwitchOn: () => void
}

/** Sets one threshold. The dialog judges the text against the ratio as it moves. */
export function ThresholdDialog({ widget, side, onClose, onSwitchOn }: ThresholdDialogProps) {
  useExplainRemoval(widget.id)
  const update = useUpdateWidget(widget)
  const present = widget.alerts[side].threshold
  const typed = useTypedThreshold(widget, side)
  const { entry } = typed
  const history = useRatioHistory({ coinA: widget.coinA.id, coinB: widget.coinB.id })
  const margin = useMarginDraft(widget, history)
  const choices = useRef<HTMLDivElement>(null)
  const formId = useId()

  const clear = async () => {
    const said = `${SIDE_LOOKS[side].name} threshold of ${pairTitle(widget)} cleared.`
    if (await update({ alerts: { [side]: { threshold: null, armed: true } } }, { said })) onClose()
  }
  /** Closes the dialog with the paint of the stored threshold; what could not be stored stays in the field. */
  const save = async (threshold: number, armed: boolean, switchOn: boolean) => {
    const besides = margin.take()
    if (besides === null) return
    const updated = update({ alerts: { [side]: { threshold, armed } }, ...besides })
    if (switchOn) onSwitchOn()
    if (await updated) onClose()
  }
  const confirm = (switchOn: boolean) => {
    typed.touch()
    if (entry.kind === 'ambiguous') choices.current?.querySelector('button')?.focus()
    else if (entry.kind !== 'invalid') void save(entry.value, entry.kind === 'armed', switchOn)
  }
  return (
    <Dialog
      title={`${pairTitle(widget)} - ${SIDE_LOOKS[side].name} Alert`}
      onClose={onClose}
      footer={
        <Choices
          alertsOn={widget.notificationsEnabled}
          isSet={present !== null}
          word={entry.kind === 'disarmed' ? 'Save Disarmed' : 'Set & Arm Alert'}
          formId={formId}
          onClose={onClose}
          onClear={() => void clear()}
          onSet={() => confirm(false)}
        />
      }
    >
      <form
        id={formId}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          confirm(!widget.notificationsEnabled)
        }}
      >
        <ThresholdForm {...{ widget, side, typed, history, choices }} questionId={`${formId}-which`} />
        <MarginFields draft={margin} kind={SIDES[side].kind} value={valueOf(entry)} history={history} />
      </form>
    </Dialog>
  )
}

interface ChoicesProps {
  readonly alertsOn: boolean
  readonly isSet: boolean
  /** Of the button that stores the threshold and leaves the alerts as they are. */
  readonly word: string
  readonly formId: string
  readonly onClose: () => void
  readonly onClear: () => void
  readonly onSet: () => void
}

const Choices = ({ alertsOn, isSet, word, formId, onClose, onClear, onSet }: ChoicesProps) => (
  <>
    {isSet ? <Button onClick={onClear}>Clear threshold</Button> : <Button onClick={onClose}>Cancel</Button>}
    {!alertsOn && <Button onClick={onSet}>{word}</Button>}
    <Button variant="primary" type="submit" form={formId}>
      {alertsOn ? word : 'Set & switch alerts on'}
    </Button>
  </>
)

/** The text of the threshold's field, and how it is read against the present ratio. */
function useTypedThreshold({ coinA, coinB, alerts }: WidgetView, side: AlertSide) {
  const ratio = usePairRatio(coinA.id, coinB.id)
  const [text, setText] = useState(() => {
    const value = alerts[side].threshold ?? (ratio === null ? null : presetThreshold(side, ratio))
    return value === null ? '' : writeNumber(value, ratio)
  })
  // An empty field is no mistake before the user has typed or confirmed.
  const [isTouched, setTouched] = useState(text !== '')
  const touch = () => setTouched(true)
  return {
    ratio,
    text,
    entry: checkThreshold(side, text, ratio),
    isTouched,
    touch,
    type(next: string) {
      setText(next)
      touch()
    },
  }
}

/** Null: the text is no threshold. */
const valueOf = (entry: ThresholdEntry): number | null =>
  entry.kind === 'armed' || entry.kind === 'disarmed' ? entry.value : null

interface ThresholdFormProps extends Pick<ThresholdDialogProps, 'widget' | 'side'> {
  readonly typed: ReturnType<typeof useTypedThreshold>
  readonly history: RatioHistory | null
  readonly choices: Ref<HTMLDivElement>
  readonly questionId: string
}

function ThresholdForm({ widget, side, typed, history, choices, questionId }: ThresholdFormProps) {
  const { coinA, coinB } = widget
  const { ratio, text, entry } = typed
  const input = useRef<HTMLInputElement>(null)
  const value = valueOf(entry)
  const question = { side, entry, ratio, questionId }
  return (
    <>
      <p className={styles.meaning}>{sideMeaning(side, coinA.symbol, coinB.symbol)}</p>
      <p className={styles.current}>
        Current ratio <strong>{formatRatio(ratio)}</strong>
      </p>
      <Field
        label="Threshold"
        hint={<ThresholdEcho {...question} widget={widget} />}
        error={entry.kind === 'invalid' && typed.isTouched ? entry.message : null}
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
            onChange={(event) => typed.type(event.currentTarget.value)}
          />
        )}
      </Field>
      <ThresholdChoices
        {...question}
        ref={choices}
        history={history}
        onChoose={(chosen) => {
          typed.type(writeNumber(chosen, ratio))
          // The answered question goes, and the focus with it.
          if (entry.kind === 'ambiguous') input.current?.focus()
        }}
      />
      <div className={styles.past}>
        <ThresholdPast side={side} value={value} history={history} />
        <BreakEven side={side} value={value} />
      </div>
    </>
  )
}

interface EntryProps {
  readonly side: AlertSide
  readonly entry: ThresholdEntry
  /** Null: not known. */
  readonly ratio: number | null
  /** Id of the question that names the choices. */
  readonly questionId: string
}

/** `other`: the threshold that switching alerts on sets where the other side has none, as the switch on the card does. */
const WORDS = {
  high: { sign: '+', crosses: 'rises above', other: 'Low, 5\u00A0% below' },
  low: { sign: '−', crosses: 'falls below', other: 'High, 5\u00A0% above' },
} as const

/** The number that was understood, its distance from the ratio, and its effect. */
function ThresholdEcho({ side, entry, ratio, questionId, widget }: EntryProps & Pick<ThresholdDialogProps, 'widget'>) {
  const isOtherSet = widget.alerts[OPPOSITE_SIDE[side]].threshold !== null
  const value = valueOf(entry)
  const distance = value === null ? null : distanceFromNow(value, ratio)
  return (
    <span role="status" className={styles.echo}>
      {entry.kind === 'ambiguous' ? (
        <span id={questionId} className={styles.warn}>
          Two numbers are written like this. Which one do you mean?
        </span>
      ) : (
        <>
          {value !== null && (
            <span className={styles.value}>
              = {formatStored(value)}
              {distance !== null && `, ${distance}`}
            </span>
          )}
          {value !== null && isFarFromNow(value, ratio) && (
            <span className={styles.warn}>
              More than 50{'\u00A0'}% away from the current ratio: is this the number you mean?
            </span>
          )}
          <span className={entry.kind === 'disarmed' ? styles.warn : undefined}>
            {entry.kind === 'disarmed'
              ? entry.message
              : `You are alerted when the ratio ${WORDS[side].crosses} this value.`}
          </span>
          {!widget.notificationsEnabled && (
            <span>
              Alerts of this pair are off: nobody is told.
              {!isOtherSet && ratio !== null && ` Switching them on also sets ${WORDS[side].other} now.`}
            </span>
          )}
        </>
      )}
    </span>
  )
}

interface ThresholdChoicesProps extends EntryProps {
  readonly history: RatioHistory | null
  readonly ref: Ref<HTMLDivElement>
  readonly onChoose: (value: number) => void
}

/** Thresholds by one press: at a distance from the ratio, or the two numbers that the typed text may be. */
function ThresholdChoices({ ref, side, entry, ratio, questionId, history, onChoose }: ThresholdChoicesProps) {
  const ofPast = useMemo(() => (history === null ? [] : thresholdsOfPast(history, side)), [history, side])
  if (entry.kind === 'ambiguous') {
    return (
      <div ref={ref} role="group" aria-labelledby={questionId} className={styles.choices}>
        {entry.values.map((value) => (
          <Button key={value} size="sm" className={styles.reading} onClick={() => onChoose(value)}>
            {formatStored(value)}
            <span className={styles.distance}>{distanceFromNow(value, ratio)}</span>
          </Button>
        ))}
      </div>
    )
  }
  return (
    <>
      {ratio !== null && (
        <div ref={ref} role="group" aria-label="Distance from the current ratio" className={styles.choices}>
          {[2, 5, 10].map((percent) => {
            const value = thresholdAt(side, percent, ratio)
            return (
              value !== null && (
                <Button key={percent} size="sm" onClick={() => onChoose(value)}>
                  {`${WORDS[side].sign}${percent}\u00A0%`}
                </Button>
              )
            )
          })}
        </div>
      )}
      {ofPast.length > 0 && (
        <div role="group" aria-label="From the last 90 days" className={styles.choices}>
          {ofPast.map(({ name, value, words }) => (
            <Button key={name} size="sm" onClick={() => onChoose(value)}>
              {name} {words}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

interface ThresholdOfPageProps {
  readonly widget: WidgetId
  readonly side: AlertSide
  readonly onClose: () => void
}

/** The threshold dialog that the page of a pair opens; it closes where the pair goes. */
export function ThresholdOfPage({ widget: id, side, onClose }: ThresholdOfPageProps) {
  const board = useAtomValue(boardAtom)
  const widget = board && findWidget(board, id)
  const isGone = board !== undefined && widget === undefined
  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])
  return widget === undefined ? null : <Open widget={widget} side={side} onClose={onClose} />
}

function Open({ widget, side, onClose }: Omit<ThresholdOfPageProps, 'widget'> & { readonly widget: WidgetView }) {
  const { switchAlerts } = useAlertSwitch(widget)
  return <ThresholdDialog widget={widget} side={side} onClose={onClose} onSwitchOn={() => switchAlerts(true)} />
}
