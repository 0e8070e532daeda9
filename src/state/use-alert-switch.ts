import { useStore } from 'jotai'
import type { WidgetView } from '../db/view'
import { pairRatioAtom } from './pair-ratio'
import { useServices } from './services'
import { notUpdated, useChange, type WidgetChange } from './use-change'
import { useTurns } from './use-turns'

/**
 * Switches a pair's alerts. Switching them on depends on push, which may fail: the switch goes back then, and the toast that
 * says why offers alerts for the open app, which need no push, for all pairs that it is said of. The command's code is
 * fetched when it is first needed.
 */
export function useAlertSwitch(widget: WidgetView): (on: boolean) => void {
  const { push } = useServices()
  const store = useStore()
  const run = useChange(widget)
  const inTurn = useTurns()

  /** To be called in the handler of the click itself: the browser may have to ask for permission. */
  return (on) => {
    const change: WidgetChange = {
      change: { notificationsEnabled: on },
      command: async (context) =>
        (await import('../db/commands/set-alerts')).setAlerts(
          context,
          widget.id,
          on,
          store.get(pairRatioAtom(widget.coinA.id, widget.coinB.id)),
        ),
      failed: notUpdated(widget),
    }
    void run({
      ...change,
      after: inTurn(on ? push.enable() : null),
      ...(on && { instead: { label: 'Tell me in the open app', run: () => void run(change), forAll: true } }),
    })
  }
}
