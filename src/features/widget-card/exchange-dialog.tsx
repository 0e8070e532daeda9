import { useAtomValue } from 'jotai'
import { Bell } from 'lucide-react'
import { useId, useState } from 'react'
import type { WidgetView } from '../../db/view'
import { formatRatio } from '../../domain/format-ratio'
import { pairTitle } from '../../domain/pair'
import { usePairRatio } from '../../state/pair-ratio'
import { shownBoardAtom } from '../../state/wishes'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import styles from './exchange-dialog.module.css'
import { useExchange } from './use-exchange'

interface ExchangeDialogProps {
  /** The pair that becomes active. */
  readonly widget: WidgetView
  readonly onClose: () => void
}

/** Asks which active pair an inactive one takes the place of; the last one is proposed. */
export function ExchangeDialog({ widget, onClose }: ExchangeDialogProps) {
  const title = pairTitle(widget)
  const active = useAtomValue(shownBoardAtom)?.widgets.filter((one) => one.isActive) ?? []
  const [wished, setWished] = useState<string | null>(null)
  const chosen = active.find(({ key }) => key === wished) ?? active.at(-1)
  const exchange = useExchange()
  const formId = useId()
  const name = useId()
  return (
    <Dialog
      title={`Make ${title} active`}
      size="sm"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} disabled={chosen === undefined}>
            Make active
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          if (chosen !== undefined) void exchange(widget, chosen)
        }}
      >
        <fieldset className={styles.choices}>
          <legend className={styles.legend}>In place of</legend>
          {active.map((one) => (
            <label key={one.key} className={styles.choice}>
              <input
                type="radio"
                name={name}
                value={one.key}
                checked={one === chosen}
                data-autofocus={one === chosen ? true : undefined}
                onChange={() => setWished(one.key)}
              />
              <span className={styles.pair}>{pairTitle(one)}</span>
              {one.notificationsEnabled && <Bell role="img" aria-label="Alerts on" className={styles.bell} />}
              <Ratio widget={one} />
            </label>
          ))}
        </fieldset>
        {chosen !== undefined && (
          <p className={styles.note} role="status">
            {pairTitle(chosen)} becomes inactive. It keeps its thresholds and checkpoints
            {chosen.notificationsEnabled && ', and its alerts pause until it is active again'}.
          </p>
        )}
      </form>
    </Dialog>
  )
}

function Ratio({ widget }: { readonly widget: WidgetView }) {
  const ratio = usePairRatio(widget.coinA.id, widget.coinB.id)
  return ratio === null ? null : <span className={styles.ratio}>{formatRatio(ratio)}</span>
}
