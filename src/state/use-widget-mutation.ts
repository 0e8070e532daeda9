import { useSetAtom, useStore } from 'jotai'
import { useCallback, useRef } from 'react'
import type { CommandContext, CommandResult } from '../db/command'
import type { WidgetPatch, WidgetView } from '../db/view'
import type { Thresholds } from '../domain/alerts'
import { messageOf } from '../domain/error-message'
import { pairTitle } from '../domain/pair'
import { pairRatioAtom } from './live-data'
import { loadCommands } from './load-commands'
import { type OptimisticPatch, readAgain, useOptimisticPatch } from './optimistic-patches'
import type { PushResult } from './push'
import { useServices } from './services'
import { type LocalNotice, showToastAtom } from './toasts'

export interface WidgetMutation {
  /** Shows at once; null: nothing shows before it is stored. */
  readonly patch: Extract<OptimisticPatch, { kind: 'change' }>['change'] | null
  /** Already under way; must succeed before the command begins. */
  readonly condition?: Promise<PushResult>
  /** Offered to the user if the condition fails. */
  readonly instead?: LocalNotice['action']
  readonly command: (context: CommandContext) => Promise<CommandResult<unknown>>
  /** The sentence for a failure of the local database itself, such as a full disk. */
  readonly failed: (detail: string) => string
}

/** Beside an explanation of how to begin, such as to put the app on the home screen first. */
const UNTIL_THEN = 'Alerts stay off on this device until then.'

const notUpdated = (widget: WidgetView) => (detail: string) =>
  `Failed to update ${pairTitle(widget)}: ${detail}. Reverting change.`

/**
 * The mutation that changes fields of a widget.
 * @param expected the command refuses if a threshold is no longer this one
 */
export const fieldMutation = (widget: WidgetView, patch: WidgetPatch, expected?: Thresholds): WidgetMutation => ({
  patch,
  command: async (context) => (await loadCommands()).updateWidget(context, widget.id, patch, expected),
  failed: notUpdated(widget),
})

/**
 * Runs mutations of a widget: the patch shows at once, the command stores the mutation, and the engine sends it. Resolves
 * to true once it is stored (without a patch: and on the board), to false after a refusal, which a toast has shown to the
 * user.
 */
export function useWidgetMutation(widget: WidgetView): (mutation: WidgetMutation) => Promise<boolean> {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const store = useStore()
  const showPatch = useOptimisticPatch()

  return async ({ patch, condition, instead, command, failed }) => {
    const refuse = (message: string | null, action?: LocalNotice['action']) => {
      if (message !== null) showToast({ kind: 'error', message, ...(action && { action }) })
      else if (action) showToast({ kind: 'info', message: UNTIL_THEN, action })
      return false
    }
    let met: PushResult = { ok: true }
    try {
      const result = await showPatch<CommandResult<unknown> | PushResult>(
        { kind: 'change', key: widget.key, change: patch ?? {} },
        () => command(commands),
        condition?.then((answer) => ((met = answer).ok ? undefined : answer)),
      )
      if (!result.ok) return refuse(result.message, met.ok ? undefined : instead)
      engine.requestSync('command')
      if (patch === null) await readAgain(store, commands.db).catch((error: unknown) => reportError(error))
      return true
    } catch (error) {
      reportError(error)
      return refuse(failed(messageOf(error)))
    }
  }
}

/**
 * Switches a pair's alerts. Switching them on depends on push. If push fails, the switch goes back, and the toast with the
 * reason offers alerts in the open app, which need no push, for all pairs that it was shown for.
 */
export function useAlertSwitch(widget: WidgetView): (on: boolean) => void {
  const { push } = useServices()
  const store = useStore()
  const mutate = useWidgetMutation(widget)
  const inSerial = useSerial()

  /** To be called in the handler of the click itself: the browser may have to ask for permission. */
  return (on) => {
    const mutation: WidgetMutation = {
      patch: { notificationsEnabled: on },
      command: async (context) =>
        (await loadCommands()).setAlerts(
          context,
          widget.id,
          on,
          store.get(pairRatioAtom(widget.coinA.id, widget.coinB.id)),
        ),
      failed: notUpdated(widget),
    }
    void mutate({
      ...mutation,
      condition: inSerial(on ? push.enable() : null),
      ...(on && { instead: { label: 'Tell me in the open app', run: () => void mutate(mutation), forAll: true } }),
    })
  }
}

const IDLE: Promise<PushResult> = Promise.resolve({ ok: true })

/**
 * Returns the function that queues a click on one switch: each waits for the click before it while the browser asks for
 * permission, so that the last click decides.
 */
function useSerial(): (asked: Promise<PushResult> | null) => Promise<PushResult> {
  const last = useRef(IDLE)
  /** @param asked the condition of switching on; null: switching off, which has none */
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
