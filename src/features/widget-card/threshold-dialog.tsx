import { useId, useRef, useState } from 'react'
import type { WidgetView } from '../../db/view'
import { type AlertSide, OPPOSITE_SIDE, SIDE_NAMES } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import { pairTitle } from '../../domain/pair'
import { checkThreshold, presetThreshold, sideMeaning, writeNumber } from '../../domain/threshold-entry'
import { usePairRatio } from '../../state/live-data'
import { useExplainRemoval } from '../../state/explain-removal'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import styles from './threshold-dialog.module.css'
import { ThresholdChoices, ThresholdEcho } from './threshold-help'

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
