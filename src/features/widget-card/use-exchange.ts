import { useSetAtom, useStore } from 'jotai'
import { useCallback } from 'react'
import { exchangeWidgets } from '../../db/commands/reorder-widgets'
import type { WidgetView } from '../../db/view'
import { pairTitle } from '../../domain/pair'
import { cardFocusAtom } from '../../state/card-focus'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { readAgain } from '../../state/wishes'

/** Makes a pair active in place of another one; its card has the focus in its new place. */
export function useExchange(): (next: WidgetView, leaving: WidgetView) => Promise<void> {
  const { commands, engine } = useServices()
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  return useCallback(
    async (next, leaving) => {
      try {
        const result = await exchangeWidgets(commands, { activate: next.id, inPlaceOf: leaving.id })
        if (!result.ok) return showToast({ type: 'error', message: result.message })
        engine.requestSync('command')
        await readAgain(store, commands.db)
        store.set(cardFocusAtom, next.key)
        showToast({ type: 'success', message: `${pairTitle(next)} is active in place of ${pairTitle(leaving)}.` })
      } catch (error) {
        // The local database itself failed, such as with a full disk.
        reportError(error)
        showToast({ type: 'error', message: 'Error: Could not save your new layout.' })
      }
    },
    [commands, engine, showToast, store],
  )
}
