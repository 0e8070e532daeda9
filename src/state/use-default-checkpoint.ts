import { useSetAtom, useStore } from 'jotai'
import type { CheckpointView, WidgetView } from '../db/view'
import { messageOf } from '../domain/error-message'
import { pairTitle } from '../domain/pair'
import { pairPricesAtom, pairRatioAtom } from './live-data'
import { showToastAtom } from './toasts'
import { loadCommands, useCommand, useHold } from './use-command'

export const defaultOf = (list: readonly CheckpointView[]): CheckpointView | null =>
  list.find((one) => one.isDefault) ?? null

const NO_RATIO = 'The current ratio is not known yet, so there is nothing to save.'

/** Saves and deletes the default checkpoint of a pair. */
export function useDefaultCheckpoint(widget: WidgetView) {
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const run = useCommand()
  const hold = useHold()
  const pair = pairTitle(widget)
  return {
    /** False where there is no ratio that could be saved. */
    save: (): boolean => {
      const ratio = store.get(pairRatioAtom(widget.coinA.id, widget.coinB.id))
      if (ratio === null || ratio === 0) {
        showToast({ kind: 'info', message: NO_RATIO })
        return false
      }
      const prices = store.get(pairPricesAtom(widget.coinA.id, widget.coinB.id))
      const replaces = defaultOf(widget.checkpoints) !== null && { hold: hold(`Checkpoint of ${pair} replaced.`) }
      void run(
        async (context) => (await loadCommands()).saveCheckpoint({ ...context, ...replaces }, widget.id, ratio, prices),
        (error) => `Failed to save checkpoint: ${messageOf(error)}`,
      )
      return true
    },
    remove: () =>
      void run(
        async (context) => {
          const { deleteDefaultCheckpoint } = await loadCommands()
          return deleteDefaultCheckpoint({ ...context, hold: hold(`Checkpoint of ${pair} deleted.`) }, widget.id)
        },
        (error) => `Failed to delete default checkpoint: ${messageOf(error)}`,
      ),
  }
}
