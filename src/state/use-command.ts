import { useSetAtom, useStore } from 'jotai'
import { useCallback } from 'react'
import type { CommandContext, CommandResult } from '../db/command'
import { messageOf } from '../domain/error-message'
import { boardAtom, keepBoard } from './live-data'
import { useServices } from './services'
import { showToastAtom } from './toasts'

/**
 * The commands that a card, the board or the chart gives by a press, with their code. The page loads it when it is idle
 * (src/app/start-background.ts), so that a press has only to store; an earlier press loads it itself. After a failure the
 * next call tries again.
 */
export const loadCommands = async () => {
  const [widgets, checkpoint, board] = await Promise.all([
    import('../db/commands/widgets'),
    import('../db/commands/default-checkpoint'),
    import('../db/queries/board'),
  ])
  return { ...widgets, ...checkpoint, ...board }
}

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
 * Returns the function that brings `boardAtom` up to date, for a control that holds a stored change until the board has it,
 * so that nothing flashes back. A failure is reported; the live query follows by itself.
 */
export function useRefreshBoard(): () => Promise<void> {
  const { commands } = useServices()
  const store = useStore()
  return useCallback(async () => {
    try {
      const { readBoard } = await loadCommands()
      const before = store.get(boardAtom)
      const board = await readBoard(commands.db)
      // A live query that was faster is at least as new.
      if (store.get(boardAtom) === before) store.set(boardAtom, keepBoard(before, board))
    } catch (error) {
      reportError(error)
    }
  }, [commands, store])
}
