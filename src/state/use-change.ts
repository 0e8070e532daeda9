import { useSetAtom } from 'jotai'
import type { CommandContext, CommandResult } from '../db/command'
import type { WidgetView } from '../db/view'
import { pairTitle } from '../domain/pair'
import type { PushResult } from './push'
import { useServices } from './services'
import { type LocalToast, showToastAtom } from './toasts'
import { useWish } from './wishes'

export interface WidgetChange {
  /** What shows at once. */
  readonly change: Partial<WidgetView>
  /** What must have succeeded before the command, and is under way already. */
  readonly after?: Promise<PushResult>
  /** The way out that is offered where that failed. */
  readonly instead?: LocalToast['action']
  readonly command: (context: CommandContext) => Promise<CommandResult<unknown>>
  /** What to say when the local database itself fails, such as with a full disk. */
  readonly failed: (detail: string) => string
}

/** Beside an explanation of how to begin, such as to put the app on the home screen first. */
const UNTIL_THEN = 'Alerts stay off on this device until then.'

export const notUpdated =
  (widget: WidgetView) =>
  (detail: string): string =>
    `Failed to update ${pairTitle(widget)}: ${detail}. Reverting change.`

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Changes a widget by one command, and shows the change at once; false: refused, which has been said in a toast. */
export function useChange(widget: WidgetView): (wanted: WidgetChange) => Promise<boolean> {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const wish = useWish()

  return async ({ change, after, instead, command, failed }) => {
    const refuse = (message: string | null, action?: LocalToast['action']) => {
      if (message !== null) showToast({ type: 'error', message, ...(action && { action }) })
      else if (action) showToast({ type: 'info', message: UNTIL_THEN, action })
      return false
    }
    let ready: PushResult = { ok: true }
    try {
      const result = await wish<CommandResult<unknown> | PushResult>(
        { kind: 'change', key: widget.key, change },
        () => command(commands),
        after?.then((answer) => ((ready = answer).ok ? undefined : answer)),
      )
      if (!result.ok) return refuse(result.message, ready.ok ? undefined : instead)
      engine.requestSync('command')
      return true
    } catch (error) {
      reportError(error)
      return refuse(failed(messageOf(error)))
    }
  }
}
