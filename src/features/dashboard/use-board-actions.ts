import { useSetAtom, useStore } from 'jotai'
import { useCallback, useState } from 'react'
import type { CommandContext, CommandResult } from '../../db/command'
import type { WidgetView } from '../../db/view'
import { pairTitle } from '../../domain/pair'
import { cardFocusAtom } from '../../state/card-focus'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { shownBoardAtom, useWish, type Wish } from '../../state/wishes'
import { moved } from '../../ui/moved'
import { movedTo } from '../../ui/move-words'

const keyOf = (widget: WidgetView) => widget.key
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Moving and removing cards, by commands whose code is fetched when it is first needed; both show at once. */
export function useBoardActions() {
  const { commands, engine } = useServices()
  const store = useStore()
  const wish = useWish()
  const setCardFocus = useSetAtom(cardFocusAtom)
  const showToast = useSetAtom(showToastAtom)
  const [message, setMessage] = useState('')

  const run = useCallback(
    async (
      what: Wish,
      command: (context: CommandContext) => Promise<CommandResult>,
      said: string,
      describe: (error: unknown) => string,
    ) => {
      const refuse = (text: string) => showToast({ type: 'error', message: text })
      try {
        const result = await wish(what, () => command(commands))
        if (!result.ok) return refuse(result.message)
        setMessage(said)
        engine.requestSync('command')
      } catch (error) {
        // The local database itself failed, such as with a full disk, or the command's code could not be had.
        reportError(error)
        refuse(describe(error))
      }
    },
    [commands, engine, showToast, wish],
  )

  // The callbacks stay the same for as long as the cards live; what they work on is looked up when they are called.
  const onMove = useCallback(
    (key: string, to: number) => {
      const current = store.get(shownBoardAtom)?.widgets ?? []
      const widget = current.find((candidate) => candidate.key === key)
      if (widget === undefined) return
      const section = current.filter((candidate) => candidate.isActive === widget.isActive)
      const others = current.filter((candidate) => candidate.isActive !== widget.isActive)
      const reordered = moved(section, section.indexOf(widget), to)
      const order = widget.isActive ? [...reordered, ...others] : [...others, ...reordered]
      const ids = order.map(({ id }) => id)
      const reorder = async (context: CommandContext) =>
        (await import('../../db/commands/reorder-widgets')).reorderWidgets(context, ids)
      const said = movedTo(pairTitle(widget), to, section.length)
      void run({ kind: 'order', keys: order.map(keyOf) }, reorder, said, () => 'Error: Could not save your new layout.')
    },
    [run, store],
  )

  const onRemove = useCallback(
    (key: string) => {
      const current = store.get(shownBoardAtom)?.widgets ?? []
      const index = current.findIndex((candidate) => candidate.key === key)
      const widget = current[index]
      if (widget === undefined) return
      const name = pairTitle(widget)
      const neighbour = current[index + 1] ?? current[index - 1]
      setCardFocus(neighbour?.key ?? null)
      const remove = async (context: CommandContext) =>
        (await import('../../db/commands/remove-widget')).removeWidget(context, widget.id)
      void run({ kind: 'hide', key }, remove, `${name} removed.`, (error) => {
        return `Failed to remove ${name}: ${messageOf(error)}.`
      })
    },
    [run, setCardFocus, store],
  )

  return { message, onMove, onRemove }
}
