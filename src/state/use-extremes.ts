import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { readOwnAlerts } from '../db/own-alerts'
import { canNotifyAtom } from './push'
import { useAlertFeature } from './server-settings'
import { useServices } from './services'
import { loadCommands, useCommand } from './use-command'
import { usePushSwitch } from './use-push-switch'

/** The switch of alerts that need no threshold. */
export function useExtremes() {
  const { db } = useServices().commands
  const own = useLiveQuery(() => readOwnAlerts(db), [db])
  const canNotify = useAtomValue(canNotifyAtom)
  const isServed = useAlertFeature('extremes')
  const { press } = usePushSwitch()
  const run = useCommand()
  return {
    /** Undefined: not known yet. */
    offer: own && (own.offer ?? null),
    /** Undefined: not known, or the server has none. */
    own: isServed && own?.isPulled === true ? own : undefined,
    /**
     * To be called in the handler of the click itself: the browser may have to ask for permission. The alerts are the owner's,
     * whom other devices may tell, whatever this one is permitted.
     */
    switchTo: (on: boolean): void => {
      if (on && canNotify) void press('enable')
      void run(async (context) => (await loadCommands()).setExtremes(context, on))
    },
    answer: (offer: number | 'answered'): void =>
      void run(async (context) => {
        const { noteExtremesOffer } = await loadCommands()
        return noteExtremesOffer(context, offer)
      }),
  }
}
