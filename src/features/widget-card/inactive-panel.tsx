import { useSetAtom } from 'jotai'
import { ArrowLeftRight, Lock } from 'lucide-react'
import { useState } from 'react'
import type { WidgetView } from '../../db/view'
import { formatPrice, formatRatio } from '../../domain/format-number'
import type { InactiveReason, InactiveNotice } from '../../domain/tier-limits'
import { openDialogAtom } from '../../state/open-dialogs'
import { Button } from '../../ui/button'
import { lateDialog } from '../../ui/late-component'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './inactive-panel.module.css'
import { type PairFigures, usePriceAtom, useQuietFigure } from './figure'
import { useStalePrices } from '../../state/stale-prices'

const ExchangeDialog = lateDialog(async () => (await import('./exchange-dialog')).ExchangeDialog)

/** The specification's labels, and what is true of this card alone; the section's head says the rest. */
const LABELS: Readonly<Record<InactiveReason, string>> = {
  NOT_YET_ACTIVE: 'Inactive',
  MAX_LIMIT_NEXT_UP: 'Limit Reached',
  MAX_LIMIT_QUEUED: 'Limit Reached',
  TIER_LIMIT: 'Limit Reached',
}

interface InactivePanelProps {
  readonly widget: WidgetView
  readonly figures: PairFigures
  readonly notice: InactiveNotice
}

/** Stands in place of an inactive card's figures: the ratio and the prices without marks, where they are known. */
export function InactivePanel({ widget, figures, notice }: InactivePanelProps) {
  const { coinA, coinB } = widget
  const { code, upgrade } = notice
  const [choosing, setChoosing] = useState(false)
  const openDialog = useSetAtom(openDialogAtom)
  const stale = useStalePrices(widget)
  const ratio = useQuietFigure<HTMLSpanElement>(figures.ratio, formatRatio)
  return (
    <div className={styles.panel} data-reason={code}>
      <p className={styles.label}>
        <Lock aria-hidden="true" />
        {LABELS[code]}
        {code === 'MAX_LIMIT_NEXT_UP' && <span className={styles.aside}>Next in line</span>}
        {stale !== null && (
          <span className={styles.aside}>
            <VisuallyHidden>{stale.prefix}</VisuallyHidden>
            {stale.text}
          </span>
        )}
      </p>
      <p className={styles.ratio}>
        <VisuallyHidden>Ratio </VisuallyHidden>
        <span ref={ratio} />
      </p>
      <ul className={styles.prices}>
        {[coinA, coinB].map((coin) => (
          <QuietPrice key={coin.id} coin={coin} />
        ))}
      </ul>
      <div className={styles.actions}>
        {code !== 'NOT_YET_ACTIVE' && (
          <Button size="sm" icon={ArrowLeftRight} onClick={() => setChoosing(true)}>
            Make active
          </Button>
        )}
        {upgrade !== null && (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => openDialog(upgrade === 'login' ? { kind: 'auth', view: 'login' } : { kind: 'upgrade' })}
          >
            {upgrade === 'login' ? 'Log in to upgrade' : 'Upgrade'}
          </Button>
        )}
      </div>
      {choosing && <ExchangeDialog widget={widget} onClose={() => setChoosing(false)} />}
    </div>
  )
}

function QuietPrice({ coin }: { readonly coin: WidgetView['coinA'] }) {
  const price = useQuietFigure<HTMLSpanElement>(usePriceAtom(coin.id), formatPrice)
  return (
    <li>
      {coin.symbol} <span ref={price} />
    </li>
  )
}
