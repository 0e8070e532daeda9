import { atom, useAtomValue, useSetAtom } from 'jotai'
import { Bell, BellOff, X } from 'lucide-react'
import { memo, type MouseEvent, type Ref, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { WidgetId } from '../../domain/ids'
import { chartPath } from '../../domain/app-paths'
import { pairTitle } from '../../domain/pair'
import { cardFocusAtom, type CardSlot, MOVE_HELP_ID } from '../../state/card-slot'
import { useAlertSwitch } from '../../state/use-command'
import { IconButton } from '../../ui/button'
import { lateComponent, lateDialog } from '../../ui/late-component'
import { MoveMenu } from '../../ui/move-menu'
import { ActiveBody } from './active-body'
import { useBeyond, usePairFigures } from './figure'
import { SavingLabel } from './ratio-panel'
import styles from './widget-card.module.css'

const RemoveConfirmation = lateDialog(async () => (await import('./remove-confirmation')).RemoveConfirmation)

/** Asks first; the dialog's code loads at its first use. */
function RemoveButton({ pair, onRemove }: { readonly pair: string; readonly onRemove: () => void }) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <>
      <IconButton size="sm" label="Remove pair" icon={X} onClick={() => setAsking(true)} />
      {asking && (
        <RemoveConfirmation
          pair={pair}
          onClose={close}
          onRemove={() => {
            close()
            onRemove()
          }}
        />
      )}
    </>
  )
}

type AlertSwitchProps = ReturnType<typeof useAlertSwitch>

/** Whether the pair's thresholds are watched. */
const AlertSwitch = ({ isOn: on, isPending, switchAlerts }: AlertSwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-checked={on}
    aria-busy={isPending}
    aria-label="Alerts"
    title={on ? 'Alerts are on' : 'Alerts are off'}
    className={styles.switch}
    onClick={() => switchAlerts(!on)}
  >
    <span className={styles.thumb}>{on ? <Bell aria-hidden="true" /> : <BellOff aria-hidden="true" />}</span>
  </button>
)

const InactivePanel = lateComponent(async () => (await import('./inactive-panel')).InactivePanel)

/** One pair. Its figures subscribe to their own slices, so that a poll renders them and not the card. */
export const WidgetCard = memo(function WidgetCard(props: CardSlot) {
  const { widget, index, count, inactive, drag, onOpenChart, onMove, onRemove } = props
  const alertSwitch = useAlertSwitch(widget)
  const titleId = useId()
  const article = useCardFocus(widget.key, widget.id)
  const figures = usePairFigures(widget.coinA.id, widget.coinB.id)
  const beyond = useBeyond(widget, figures)
  const title = pairTitle(widget)

  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-busy={widget.isPending}
      className={styles.card}
      data-extreme={inactive === null ? beyond[0] : undefined}
    >
      <header className={styles.header}>
        <h3 id={titleId} className={styles.title} title={title}>
          {inactive === null ? <ChartLink widget={widget} title={title} onOpenChart={onOpenChart} /> : title}
        </h3>
        {inactive !== null && widget.isPending && <SavingLabel />}
        {inactive === null && <AlertSwitch {...alertSwitch} />}
        {count > 1 && (
          <MoveMenu
            label="Move pair"
            describedBy={MOVE_HELP_ID}
            index={index}
            count={count}
            onHandlePointerDown={(event) => drag.pointerDown(widget.key, event)}
            onHandleKeyDown={(event) => drag.keyDown(widget.key, event)}
            onMove={(to) => void onMove(widget.key, to)}
          />
        )}
        <RemoveButton pair={title} onRemove={() => onRemove(widget.key)} />
      </header>
      {inactive === null ? (
        <ActiveBody
          widget={widget}
          figures={figures}
          beyond={beyond}
          switchAlerts={alertSwitch.switchAlerts}
          onOpenChart={onOpenChart}
        />
      ) : (
        <div className={styles.inactive}>
          <InactivePanel widget={widget} figures={figures} notice={inactive} />
        </div>
      )}
    </article>
  )
})

/** Gives the card the focus once when it is the one that should have it, and scrolls it into view. */
export function useCardFocus<E extends HTMLElement>(key: string, id: string): RefObject<E | null> {
  const article = useRef<E>(null)
  const isMineAtom = useMemo(() => atom((get) => [key, id].includes(get(cardFocusAtom) ?? '')), [key, id])
  const isMine = useAtomValue(isMineAtom)
  const setWanted = useSetAtom(cardFocusAtom)
  useEffect(() => {
    if (!isMine) return
    article.current?.focus({ preventScroll: true })
    article.current?.scrollIntoView({ block: 'nearest' })
    setWanted(null)
  }, [isMine, setWanted])
  return article
}

interface ChartLinkProps {
  readonly widget: { readonly id: WidgetId }
  /** Such as "BTC / ETH". */
  readonly title: string
  readonly onOpenChart: (id: WidgetId) => void
  readonly ref?: Ref<HTMLAnchorElement>
}

/** The pair's name, which leads to its chart; a click with a modifier is the browser's, such as for a new tab. */
export function ChartLink({ widget, title, onOpenChart, ref }: ChartLinkProps) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpenChart(widget.id)
  }
  return (
    <a ref={ref} href={chartPath(widget.id)} className={styles.link} onClick={open}>
      {title}
    </a>
  )
}
