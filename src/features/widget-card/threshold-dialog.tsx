import { useId, useState } from 'react'
import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-ratio'
import { pairTitle } from '../../domain/pair'
import { checkThreshold, presetThreshold, type ThresholdEntry } from '../../domain/threshold-entry'
import { usePairRatio } from '../../state/pair-ratio'
import { useSayWhyGone } from '../../state/why-gone'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import styles from './threshold-dialog.module.css'

interface ThresholdDialogProps {
  readonly widget: WidgetView
  readonly side: AlertSide
  readonly onClose: () => void
  /** `value`: null clears the threshold. Closing is the caller's. */
  readonly onSave: (side: AlertSide, value: number | null, armed: boolean) => void
}

const TITLES = { high: 'High Alert', low: 'Low Alert' } as const
const PROMISES = {
  high: 'You are alerted when the ratio rises above this value.',
  low: 'You are alerted when the ratio falls below this value.',
} as const

/** Sets one threshold. What is typed is judged against the ratio as it moves. */
export function ThresholdDialog({ widget, side, onClose, onSave }: ThresholdDialogProps) {
  const ratio = usePairRatio(widget.coinA.id, widget.coinB.id)
  useSayWhyGone(widget.id)
  const present = side === 'high' ? widget.highThreshold : widget.lowThreshold
  const [text, setText] = useState(() => prefill(side, present, ratio))
  // An empty field is no mistake before anything was typed or tried.
  const [touched, setTouched] = useState(text !== '')
  const formId = useId()
  const entry = checkThreshold(side, text, ratio)

  const confirm = () => {
    setTouched(true)
    if (entry.kind !== 'invalid') onSave(side, entry.value, entry.kind === 'armed')
  }
  return (
    <Dialog
      title={`${pairTitle(widget)} - ${TITLES[side]}`}
      size="sm"
      onClose={onClose}
      footer={
        <>
          {present === null ? (
            <Button onClick={onClose}>Cancel</Button>
          ) : (
            <Button onClick={() => onSave(side, null, true)}>Clear threshold</Button>
          )}
          <Button variant="primary" type="submit" form={formId}>
            {entry.kind === 'disarmed' ? 'Save Disarmed' : 'Set & Arm Alert'}
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
          confirm()
        }}
      >
        <Field
          label="Threshold"
          hint={<Hint side={side} entry={entry} />}
          error={entry.kind === 'invalid' && touched ? entry.message : null}
        >
          {(control) => (
            <TextInput
              {...control}
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
        <p className={styles.current}>
          Current ratio <strong>{formatRatio(ratio)}</strong>
        </p>
      </form>
    </Dialog>
  )
}

function prefill(side: AlertSide, present: number | null, ratio: number | null): string {
  const value = present ?? (ratio === null ? null : presetThreshold(side, ratio))
  return value === null ? '' : String(value)
}

function Hint({ side, entry }: { readonly side: AlertSide; readonly entry: ThresholdEntry }) {
  return (
    <span role="status" className={entry.kind === 'disarmed' ? styles.disarmed : undefined}>
      {entry.kind === 'disarmed' ? entry.message : PROMISES[side]}
    </span>
  )
}
