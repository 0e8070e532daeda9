import { useSetAtom } from 'jotai'
import { useEffect, useReducer } from 'react'
import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import type { WidgetId } from '../../domain/ids'
import { checkpointsOpenAtom } from '../../state/panels'
import { useServices } from '../../state/services'
import { partMissingAtom } from '../../state/toasts'
import { lastingPart } from '../../ui/lasting-part'
import { lazyPart } from '../../ui/lazy-part'
import styles from './active-body.module.css'
import { nextMode, VIEW } from './card-mode'
import { CardNotes } from './card-notes'
import { CheckpointField } from './checkpoint-field'
import { defaultOf } from './checkpoint-view'
import { CoinRow } from './coin-row'
import { RatioPanel } from './ratio-panel'
import type { PairFigures } from './slices'
import { ThresholdBoxes } from './threshold-boxes'
import type { useCardActions } from './use-card-actions'
import { useManageLock } from './use-manage-lock'

const ThresholdDialog = lazyPart(async () => (await import('./threshold-dialog')).ThresholdDialog)
const ToldLine = lastingPart(async () => (await import('./told-line')).ToldLine)

interface ActiveBodyProps {
  readonly widget: WidgetView
  readonly figures: PairFigures
  /** The sides whose thresholds the ratio is beyond. */
  readonly beyond: readonly AlertSide[]
  readonly actions: ReturnType<typeof useCardActions>
  readonly onOpenChart: (id: WidgetId) => void
}

/** The figures of a pair and everything that can be set on it. */
export function ActiveBody({ widget, figures, beyond, actions, onOpenChart }: ActiveBodyProps) {
  const { commands } = useServices()
  const [mode, happen] = useReducer(nextMode, VIEW)
  const setManaged = useSetAtom(checkpointsOpenAtom)
  const missing = useSetAtom(partMissingAtom)
  const lock = useManageLock(widget)
  const alertsOn = widget.notificationsEnabled
  const arming = mode.kind === 'arming_checkpoint'
  useEscape(arming, () => happen({ kind: 'escaped' }))
  const closeThreshold = () => happen({ kind: 'threshold-closed' })
  // Its own creation is what "Saving..." says already.
  const waiting = widget.isPending ? widget.waiting - 1 : widget.waiting

  return (
    <div className={styles.body}>
      <RatioPanel
        widget={widget}
        figures={figures}
        notes={
          <CardNotes
            coinA={widget.coinA.id}
            coinB={widget.coinB.id}
            extreme={beyond[0] ?? null}
            pending={widget.isPending}
            waiting={waiting}
          />
        }
        arming={arming}
        onSave={() => {
          if (actions.saveCheckpoint()) happen({ kind: 'ratio-saved' })
        }}
        onOpenChart={() => onOpenChart(widget.id)}
      />
      <ThresholdBoxes widget={widget} crossed={beyond} onEdit={(side) => happen({ kind: 'threshold-clicked', side })} />
      {(alertsOn || widget.highThreshold !== null || widget.lowThreshold !== null) && (
        <p className={styles.told} data-on={alertsOn}>
          <ToldLine widget={widget} onSwitchOn={() => actions.switchAlerts(true)} />
        </p>
      )}
      <CheckpointField
        checkpoint={defaultOf(widget.checkpoints)}
        now={commands.now()}
        arming={arming}
        lock={lock.reason}
        onArm={() => happen({ kind: 'checkpoint-clicked' })}
        onManage={lock.reason === null ? () => setManaged(widget.id) : lock.explain}
        onDelete={actions.deleteCheckpoint}
      />
      <ul className={styles.coins}>
        <CoinRow coin={widget.coinA} />
        <CoinRow coin={widget.coinB} />
      </ul>
      {mode.kind === 'editing_threshold' && (
        <ThresholdDialog
          widget={widget}
          side={mode.side}
          onClose={closeThreshold}
          onSave={(...saved) => {
            closeThreshold()
            actions.saveThreshold(...saved)
          }}
          onMissing={() => missing(closeThreshold)}
        />
      )}
    </div>
  )
}

/** Wherever the focus is: not every browser gives it to a button that was clicked. */
function useEscape(listening: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!listening) return undefined
    const escape = (event: KeyboardEvent) => {
      // What has taken it for itself, such as an open menu, is what it was meant for.
      if (event.key === 'Escape' && !event.defaultPrevented) onEscape()
    }
    document.addEventListener('keydown', escape)
    return () => document.removeEventListener('keydown', escape)
  })
}
