import { useSetAtom, useStore } from 'jotai'
import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import { tempCheckpointId } from '../../domain/ids'
import { pairRatioAtom } from '../../state/pair-ratio'
import { useServices } from '../../state/services'
import { thresholdChange } from '../../state/threshold-change'
import { showToastAtom } from '../../state/toasts'
import { useAlertSwitch } from '../../state/use-alert-switch'
import { useChange } from '../../state/use-change'
import { withDefaultSaved, withoutDefault } from './checkpoint-view'

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
  const switchAlerts = useAlertSwitch(widget)

  const currentRatio = () => store.get(pairRatioAtom(widget.coinA.id, widget.coinB.id))

  return {
    switchAlerts,

    /** To be called in the handler of the click itself where it switches alerts on. */
    saveThreshold: (side: AlertSide, value: number | null, armed: boolean, switchOn: boolean): void => {
      void run(thresholdChange(widget, side, value, armed))
      if (switchOn) switchAlerts(true)
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
