import { useSetAtom, useStore } from 'jotai'
import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import { tempCheckpointId } from '../../domain/ids'
import { pairRatioAtom } from '../../state/pair-ratio'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { notUpdated, useChange } from '../../state/use-change'
import { withDefaultSaved, withoutDefault } from './checkpoint-view'

const PUSH_IS_MISSING =
  'Crossings are shown on the card while the app is open. Push notifications are not available yet.'

const NO_RATIO = 'The current ratio is not known yet, so there is nothing to save.'

/**
 * What can be changed on a card; every change is one command, and shows at once. The commands' code is fetched when it is
 * first needed: no card needs it to be drawn.
 */
export function useCardActions(widget: WidgetView) {
  const { now } = useServices().commands
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const run = useChange(widget)

  const currentRatio = () => store.get(pairRatioAtom(widget.coinA.id, widget.coinB.id))

  return {
    switchAlerts: async (on: boolean): Promise<void> => {
      const kept = await run({
        change: { notificationsEnabled: on },
        command: async (context) =>
          (await import('../../db/commands/set-alerts')).setAlerts(context, widget.id, on, currentRatio()),
        failed: notUpdated(widget),
      })
      if (kept && on) showToast({ type: 'info', message: PUSH_IS_MISSING })
    },

    saveThreshold: (side: AlertSide, value: number | null, armed: boolean): void => {
      const change =
        side === 'high'
          ? { highThreshold: value, highThresholdActive: armed }
          : { lowThreshold: value, lowThresholdActive: armed }
      void run({
        change,
        command: async (context) =>
          (await import('../../db/commands/set-threshold')).setThreshold(context, widget.id, side, value, armed),
        failed: notUpdated(widget),
      })
    },

    /** False where there is no ratio that could be saved. */
    saveCheckpoint: (): boolean => {
      const ratio = currentRatio()
      if (ratio === null || ratio === 0) {
        showToast({ type: 'info', message: NO_RATIO })
        return false
      }
      const timestamp = new Date(now()).toISOString()
      void run({
        change: {
          checkpoints: withDefaultSaved(widget.checkpoints, { id: tempCheckpointId('saving'), ratio, timestamp }),
        },
        command: async (context) =>
          (await import('../../db/commands/save-checkpoint')).saveCheckpoint(context, widget.id, ratio),
        failed: (detail) => `Failed to save checkpoint: ${detail}`,
      })
      return true
    },

    deleteCheckpoint: (): void => {
      void run({
        change: { checkpoints: withoutDefault(widget.checkpoints) },
        command: async (context) =>
          (await import('../../db/commands/delete-default-checkpoint')).deleteDefaultCheckpoint(context, widget.id),
        failed: (detail) => `Failed to delete default checkpoint: ${detail}`,
      })
    },
  }
}
