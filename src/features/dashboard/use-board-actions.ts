import { useSetAtom } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CommandContext, CommandResult } from '../../db/command'
import type { WidgetView } from '../../db/view'
import { cardFocusAtom } from '../../state/card-focus'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { moved } from '../../ui/moved'
import { movedTo } from '../../ui/sorting-announcements'
import { inOrder } from './card-order'
import { pairName } from './widget-section'

const keyOf = (widget: WidgetView) => widget.key
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Moving and removing cards, by commands whose code is fetched when it is first needed. A move shows at once: the wished order stands until the local database says something new,
 * for between the drop and the live query the old order would flash up.
 */
export function useBoardActions(widgets: readonly WidgetView[]) {
  const { commands, engine } = useServices()
  const setCardFocus = useSetAtom(cardFocusAtom)
  const showToast = useSetAtom(showToastAtom)
  const [wish, setWish] = useState<{ base: readonly WidgetView[]; keys: readonly string[] } | null>(null)
  const [message, setMessage] = useState('')
  const shown = wish?.base === widgets ? inOrder(widgets, wish.keys, keyOf) : widgets

  // The callbacks stay the same for as long as the cards live; what they work on is looked up when they are called.
  const latest = useRef({ widgets, shown })
  useEffect(() => {
    latest.current = { widgets, shown }
  })

  const run = useCallback(
    async (
      command: (context: CommandContext) => Promise<CommandResult>,
      said: string,
      describe: (error: unknown) => string,
    ) => {
      const refuse = (text: string) => {
        setWish(null)
        showToast({ type: 'error', message: text })
      }
      try {
        const result = await command(commands)
        if (!result.ok) return refuse(result.message)
        setMessage(said)
        engine.requestSync('command')
      } catch (error) {
        // The local database itself failed, such as with a full disk, or the command's code could not be had.
        reportError(error)
        refuse(describe(error))
      }
    },
    [commands, engine, showToast],
  )

  const onMove = useCallback(
    (key: string, to: number) => {
      const { widgets: base, shown: current } = latest.current
      const widget = current.find((candidate) => candidate.key === key)
      if (widget === undefined) return
      const section = current.filter((candidate) => candidate.isActive === widget.isActive)
      const others = current.filter((candidate) => candidate.isActive !== widget.isActive)
      const reordered = moved(section, section.indexOf(widget), to)
      const order = widget.isActive ? [...reordered, ...others] : [...others, ...reordered]
      setWish({ base, keys: order.map(keyOf) })
      const ids = order.map(({ id }) => id)
      const said = movedTo(pairName(widget), to, section.length)
      const reorder = async (context: CommandContext) =>
        (await import('../../db/commands/reorder-widgets')).reorderWidgets(context, ids)
      void run(reorder, said, () => 'Error: Could not save your new layout.')
    },
    [run],
  )

  const onRemove = useCallback(
    (key: string) => {
      const current = latest.current.shown
      const index = current.findIndex((candidate) => candidate.key === key)
      const widget = current[index]
      if (widget === undefined) return
      const name = pairName(widget)
      const neighbour = current[index + 1] ?? current[index - 1]
      setCardFocus(neighbour?.key ?? null)
      const failed = (error: unknown) => `Failed to remove ${name}: ${messageOf(error)}.`
      const remove = async (context: CommandContext) =>
        (await import('../../db/commands/remove-widget')).removeWidget(context, widget.id)
      void run(remove, `${name} removed.`, failed)
    },
    [run, setCardFocus],
  )

  return { shown, message, onMove, onRemove }
}
