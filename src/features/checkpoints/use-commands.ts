import { useSetAtom } from 'jotai'
import type { CommandResult } from '../../db/command'
import { addCheckpoint } from '../../db/commands/add-checkpoint'
import type { CheckpointDraft } from '../../db/commands/checkpoint-draft'
import { commitCheckpoints } from '../../db/commands/commit-checkpoints'
import type { WidgetId } from '../../domain/ids'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'

/** Writes the popover's changes to the local database; the screen follows from there. */
export function useCommands(widget: WidgetId) {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)

  /** The sentence that says why not, or null once it is stored. */
  const run = async (command: Promise<CommandResult<unknown>>, failure: string): Promise<string | null> => {
    try {
      const result = await command
      if (!result.ok) return result.message
      engine.requestSync('command')
      return null
    } catch (error) {
      // The local database itself failed, such as with a full disk.
      reportError(error)
      return `${failure}: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return {
    add: (ratio: number, draft: CheckpointDraft) =>
      run(addCheckpoint(commands, widget, ratio, draft), 'Failed to add checkpoint'),
    /** The popover may have closed by the time this ends, so a toast says what went wrong. */
    commit: (draft: CheckpointDraft): void => {
      void run(commitCheckpoints(commands, widget, draft), 'Failed to save checkpoint changes').then((refusal) => {
        if (refusal !== null) showToast({ type: 'error', message: refusal })
      })
    },
  }
}
