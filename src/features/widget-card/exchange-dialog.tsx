import { useAtomValue, useSetAtom } from 'jotai'
import { Bell } from 'lucide-react'
import { useId, useState } from 'react'
import { exchangeWidgets } from '../../db/commands/widgets'
import type { WidgetView } from '../../db/view'
import { formatRatio } from '../../domain/format-number'
import { pairTitle } from '../../domain/pair'
import { cardFocusAtom } from '../../state/card-slot'
import { boardAtom, usePairRatio } from '../../state/live-data'
import { showToastAtom } from '../../state/toasts'
import { useCommand } from '../../state/use-command'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import stack from '../../ui/stack.module.css'
import styles from './exchange-dialog.module.css'

const NOT_SAVED = 'Error: Could not save your new layout.'

/** Makes a pair active in place of another one; its card takes the focus. */
function useExchange(): (next: WidgetView, leaving: WidgetView) => Promise<void> {
  const run = useCommand()
  const setCardFocus = useSetAtom(cardFocusAtom)
  const showToast = useSetAtom(showToastAtom)
  return async (next, leaving) => {
    const pair = { activate: next.id, inPlaceOf: leaving.id }
    const result = await run(
      (context) => exchangeWidgets(context, pair),
      () => NOT_SAVED,
    )
    if (!result.ok) return
    setCardFocus(next.key)
    showToast({ kind: 'success', message: `${pairTitle(next)} is active in place of ${pairTitle(leaving)}.` })
  }
}

/** Asks which active pair the inactive `widget` takes the place of; proposes the last one. */
export function ExchangeDialog({ widget, onClose }: { readonly widget: WidgetView; readonly onClose: () => void }) {
  const title = pairTitle(widget)
  const active = useAtomValue(boardAtom)?.widgets.filter((one) => one.isActive) ?? []
  const [picked, setPicked] = useState<string | null>(null)
  const chosen = active.find(({ key }) => key === picked) ?? active.at(-1)
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
        className={stack.gap3}
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
                onChange={() => setPicked(one.key)}
              />
              <span className={styles.pair}>{pairTitle(one)}</span>
              {one.notificationsEnabled && <Bell role="img" aria-label="Alerts on" className={styles.alertIcon} />}
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
