import { useSetAtom, useStore } from 'jotai'
import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import { tempCheckpointId } from '../../domain/ids'
import { pairRatioAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { useAlertSwitch, useWidgetMutation, fieldMutation } from '../../state/use-widget-mutation'
import { withDefaultSaved, withoutDefault } from './checkpoint-field'

const NO_RATIO = 'The current ratio is not known yet, so there is nothing to save.'

/**
 * Mutations of a card; each is one command, and shows at once. The commands' code is fetched when it is
 * first needed: no card needs it to be drawn.
 */
export function useCardActions(widget: WidgetView) {
  const { now } = useServices().commands
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const mutate = useWidgetMutation(widget)
  const switchAlerts = useAlertSwitch(widget)

  const currentRatio = () => store.get(pairRatioAtom(widget.coinA.id, widget.coinB.id))

  return {
    switchAlerts,

    /** To be called in the handler of the click itself where it switches alerts on. */
    saveThreshold: (side: AlertSide, value: number | null, armed: boolean, switchOn: boolean): void => {
      void mutate(fieldMutation(widget, { alerts: { [side]: { threshold: value, armed } } }))
      if (switchOn) switchAlerts(true)
    },

    /** False where there is no ratio that could be saved. */
    saveCheckpoint: (): boolean => {
      const ratio = currentRatio()
      if (ratio === null || ratio === 0) {
        showToast({ kind: 'info', message: NO_RATIO })
        return false
      }
      const timestamp = new Date(now()).toISOString()
      void mutate({
        patch: {
          checkpoints: withDefaultSaved(widget.checkpoints, { id: tempCheckpointId('saving'), ratio, timestamp }),
        },
        command: async (context) =>
          (await import('../../db/commands/default-checkpoint')).saveCheckpoint(context, widget.id, ratio),
        failed: (detail) => `Failed to save checkpoint: ${detail}`,
      })
      return true
    },

    deleteCheckpoint: (): void => {
      void mutate({
        patch: { checkpoints: withoutDefault(widget.checkpoints) },
        command: async (context) =>
          (await import('../../db/commands/default-checkpoint')).deleteDefaultCheckpoint(context, widget.id),
        failed: (detail) => `Failed to delete default checkpoint: ${detail}`,
      })
    },
  }
}
