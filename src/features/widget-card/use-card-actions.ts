import { useSetAtom, useStore } from 'jotai'
import type { CommandContext, CommandResult } from '../../db/command'
import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import { tempCheckpointId } from '../../domain/ids'
import { pairTitle } from '../../domain/pair'
import { pairRatioAtom } from '../../state/pair-ratio'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { useWish } from '../../state/wishes'
import { withDefaultSaved, withoutDefault } from './checkpoint-view'

const PUSH_IS_MISSING =
  'Crossings are shown on the card while the app is open. Push notifications are not available yet.'

const NO_RATIO = 'The current ratio is not known yet, so there is nothing to save.'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * What can be changed on a card; every change is one command, and shows at once. The commands' code is fetched when it is
 * first needed: no card needs it to be drawn.
 */
export function useCardActions(widget: WidgetView) {
  const { commands, engine } = useServices()
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const wish = useWish()

  /** `failed`: what to say when the local database itself fails, such as with a full disk. */
  const run = async (
    change: Partial<WidgetView>,
    command: (context: CommandContext) => Promise<CommandResult<unknown>>,
    failed: (detail: string) => string,
  ): Promise<boolean> => {
    const refuse = (message: string) => {
      showToast({ type: 'error', message })
      return false
    }
    try {
      const result = await wish({ kind: 'change', key: widget.key, change }, () => command(commands))
      if (!result.ok) return refuse(result.message)
      engine.requestSync('command')
      return true
    } catch (error) {
      reportError(error)
      return refuse(failed(messageOf(error)))
    }
  }

  const currentRatio = () => store.get(pairRatioAtom(widget.coinA.id, widget.coinB.id))
  const notUpdated = (detail: string) => `Failed to update ${pairTitle(widget)}: ${detail}. Reverting change.`

  return {
    switchAlerts: async (on: boolean): Promise<void> => {
      const kept = await run(
        { notificationsEnabled: on },
        async (context) =>
          (await import('../../db/commands/set-alerts')).setAlerts(context, widget.id, on, currentRatio()),
        notUpdated,
      )
      if (kept && on) showToast({ type: 'info', message: PUSH_IS_MISSING })
    },

    saveThreshold: (side: AlertSide, value: number | null, armed: boolean): void => {
      const change =
        side === 'high'
          ? { highThreshold: value, highThresholdActive: armed }
          : { lowThreshold: value, lowThresholdActive: armed }
      void run(
        change,
        async (context) =>
          (await import('../../db/commands/set-threshold')).setThreshold(context, widget.id, side, value, armed),
        notUpdated,
      )
    },

    /** False where there is no ratio that could be saved. */
    saveCheckpoint: (): boolean => {
      const ratio = currentRatio()
      if (ratio === null || ratio === 0) {
        showToast({ type: 'info', message: NO_RATIO })
        return false
      }
      const timestamp = new Date(commands.now()).toISOString()
      void run(
        { checkpoints: withDefaultSaved(widget.checkpoints, { id: tempCheckpointId('saving'), ratio, timestamp }) },
        async (context) =>
          (await import('../../db/commands/save-checkpoint')).saveCheckpoint(context, widget.id, ratio),
        (detail) => `Failed to save checkpoint: ${detail}`,
      )
      return true
    },

    deleteCheckpoint: (): void => {
      void run(
        { checkpoints: withoutDefault(widget.checkpoints) },
        async (context) =>
          (await import('../../db/commands/delete-default-checkpoint')).deleteDefaultCheckpoint(context, widget.id),
        (detail) => `Failed to delete default checkpoint: ${detail}`,
      )
    },
  }
}
