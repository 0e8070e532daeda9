import { useSetAtom, useStore } from 'jotai'
import { useCallback, useRef, useState } from 'react'
import type { CommandContext, CommandResult, Hold } from '../db/command'
import { messageOf, withoutStop } from '../domain/error-message'
import { pairRatioAtom } from './live-data'
import { loadOnce } from './load-once'
import { configAtom, hasAlertFeature } from './server-settings'
import { useServices } from './services'
import { showToastAtom } from './toasts'
import type { WidgetChange, WidgetView } from '../db/view'
import type { Thresholds } from '../domain/alerts'
import { pairTitle } from '../domain/pair'
import { UNDO_MARGIN, UNDO_TIME } from '../domain/undo'
import type { PushResult } from './push'

/**
 * The commands that a card, the board or the chart gives by a press, with their code. The page loads it when it is idle
 * (src/app/start-background.ts), so that a press has only to store; an earlier press loads it itself.
 */
export const loadCommands = loadOnce(async () => {
  const [widgets, checkpoint, margin, alerts] = await Promise.all([
    import('../db/commands/widgets'),
    import('../db/commands/default-checkpoint'),
    import('./read-proposed-margin'),
    import('../db/commands/alert-settings'),
  ])
  const { setExtremes, saveAlertHold, noteExtremesOffer } = alerts
  const { readProposedMargin } = margin
  return { ...widgets, ...checkpoint, readProposedMargin, setExtremes, saveAlertHold, noteExtremesOffer }
})

/** The code that takes a held change back, fetched once something is held. */
const loadUndo = loadOnce(() => import('../db/commands/take-back'))

/**
 * Runs a command and asks the engine to send what the command stored. A toast tells the user of a refusal, and of a failure:
 * the local database is full, or the command's code could not be loaded.
 */
export function useCommand() {
  const { commands, engine, open } = useServices()
  const showToast = useSetAtom(showToastAtom)
  return useCallback(
    /** @param describe the sentence for a failure */
    async <T>(
      command: (context: CommandContext) => Promise<CommandResult<T>>,
      describe: (error: unknown) => string = messageOf,
    ): Promise<CommandResult<T>> => {
      const refuse = (message: string) => {
        showToast({ kind: 'error', message })
        return { ok: false, message } as const
      }
      try {
        await open()
        const result = await command(commands)
        if (!result.ok) return refuse(result.message)
        engine.requestSync('command')
        return result
      } catch (error) {
        reportError(error)
        return refuse(describe(error))
      }
    },
    [commands, engine, open, showToast],
  )
}

/**
 * Returns the function that holds a command which loses something of the user's: nothing is sent before the time is over in
 * which the toast that says so offers to undo it.
 */
export function useHold(): (said: string, onUndone?: () => void) => Hold {
  // Its database may not be open yet at the first paint, and is wherever something is held.
  const { commands } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const run = useCommand()
  return useCallback(
    /** @param said such as "BTC / ETH removed." */
    (said, onUndone) => ({
      ms: UNDO_TIME + UNDO_MARGIN,
      onHeld(change) {
        const undo = async () => {
          const { ok } = await run(async (context) => (await loadUndo()).takeBack(context, change))
          if (ok) onUndone?.()
        }
        const hold = (ms: number) => {
          const until = commands.now() + ms + UNDO_MARGIN
          loadUndo()
            .then(({ holdUntil }) => holdUntil(commands.db, change, until))
            .catch(reportError)
        }
        // While it can be had: a press may come without a network.
        loadUndo().catch(reportError)
        showToast({ kind: 'success', message: said, action: { label: 'Undo', run: () => void undo(), hold } })
      },
    }),
    [commands, run, showToast],
  )
}

const notUpdated = (widget: WidgetView) => (error: unknown) =>
  `Failed to update ${pairTitle(widget)}: ${withoutStop(messageOf(error))}. Reverting change.`

interface UpdateOptions {
  /** Refused where a threshold is no longer this one. */
  readonly expected?: Thresholds
  /** The change loses something, which can be undone: the sentence that says so. */
  readonly said?: string
}

/**
 * Returns the function that changes fields of a widget. Resolves to true once the change is stored, to false after a
 * refusal, which a toast has shown to the user.
 */
export function useUpdateWidget(widget: WidgetView) {
  const run = useCommand()
  const hold = useHold()
  return async (change: WidgetChange, { expected, said }: UpdateOptions = {}): Promise<boolean> => {
    const result = await run(async (context) => {
      const { updateWidget } = await loadCommands()
      return updateWidget({ ...context, ...(said && { hold: hold(said) }) }, widget.id, change, expected)
    }, notUpdated(widget))
    return result.ok
  }
}

/** Beside an explanation of how to begin, such as to put the app on the home screen first. */
const UNTIL_THEN = 'Alerts stay off on this device until then.'

/**
 * Switches a pair's alerts. Switching them on depends on push. If push fails, the switch goes back, and the toast with the
 * reason offers alerts in the open app, which need no push, for all pairs that it was shown for.
 */
export function useAlertSwitch(widget: WidgetView) {
  const services = useServices()
  const { push } = services
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const run = useCommand()
  const inSerial = useSerial()
  /** The newest press that is not stored and on the board yet; null: there is none. */
  const [pressed, setPressed] = useState<{ readonly on: boolean } | null>(null)

  const save = async (on: boolean) => {
    await run(async (context) => {
      const { setAlerts, readProposedMargin } = await loadCommands()
      const isOffered = on && hasAlertFeature(store.get(configAtom), 'margin')
      const margin = isOffered ? await readProposedMargin(services, widget) : null
      return setAlerts(context, widget.id, on, store.get(pairRatioAtom(widget.coinA.id, widget.coinB.id)), margin)
    }, notUpdated(widget))
  }
  const answer = async (on: boolean, asked: Promise<PushResult>) => {
    const result = await asked
    if (result.ok) return save(on)
    const action = { label: 'Tell me in the open app', run: () => void save(true), forAll: true } as const
    if (result.message !== null) showToast({ kind: 'error', message: result.message, ...(on && { action }) })
    else if (on) showToast({ kind: 'info', message: UNTIL_THEN, action })
  }
  return {
    /** As the user last pressed it, else as it is stored. */
    isOn: pressed?.on ?? widget.notificationsEnabled,
    isPending: pressed !== null,
    /** To be called in the handler of the click itself: the browser may have to ask for permission. */
    switchAlerts: (on: boolean): void => {
      const press = { on }
      setPressed(press)
      void answer(on, inSerial(on ? push.enable() : null)).finally(() =>
        setPressed((newest) => (newest === press ? null : newest)),
      )
    },
  }
}

const IDLE: Promise<PushResult> = Promise.resolve({ ok: true })

/**
 * Returns the function that queues a click on one switch: each waits for the click before it while the browser asks for
 * permission, so that the last click decides.
 */
function useSerial(): (asked: Promise<PushResult> | null) => Promise<PushResult> {
  const last = useRef(IDLE)
  /** @param asked the answer that switching on waits for; null: switching off, which waits for none */
  return useCallback((asked: Promise<PushResult> | null) => {
    const queued = last.current.then(
      // After a refused permission there is nothing to switch off, and no further message.
      (before): PushResult | Promise<PushResult> => asked ?? (before.ok ? before : { ok: false, message: null }),
    )
    last.current = queued
    void queued.then(() => {
      if (last.current === queued) last.current = IDLE
    })
    return queued
  }, [])
}
