import { useSetAtom } from 'jotai'
import type { CommandResult } from '../../db/command'
import { addCheckpoint } from '../../db/commands/add-checkpoint'
import type { CheckpointDraft } from '../../db/commands/checkpoint-draft'
import { commitCheckpoints } from '../../db/commands/commit-checkpoints'
import type { CheckpointView, WidgetView } from '../../db/view'
import { tempCheckpointId } from '../../domain/ids'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { useWish } from '../../state/wishes'

/** Writes the popover's changes to the local database. What they make of the list shows at once. */
export function useCommands({ id, key }: Pick<WidgetView, 'id' | 'key'>) {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const wish = useWish()
  const say = (message: string) => showToast({ type: 'error', message })

  /** The sentence that says why not, or null once it is stored. */
  const run = async (
    checkpoints: readonly CheckpointView[],
    command: () => Promise<CommandResult<unknown>>,
    failure: string,
  ): Promise<string | null> => {
    try {
      const result = await wish({ kind: 'change', key, change: { checkpoints } }, command)
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
    say,
    add: (ratio: number, draft: CheckpointDraft, shown: readonly CheckpointView[]) => {
      const made: CheckpointView = {
        // Never that of another: two rows of one id would be one row too many.
        id: tempCheckpointId(commands.uuid()),
        ratio,
        timestamp: new Date(commands.now()).toISOString(),
        isDefault: true,
        isPending: true,
      }
      return run(
        [...shown.map((one) => ({ ...one, isDefault: false })), made],
        () => addCheckpoint(commands, id, ratio, draft, made.id),
        'Failed to add checkpoint',
      )
    },
    /** The popover may have closed by the time this ends, so a toast says what went wrong. */
    commit: (draft: CheckpointDraft, shown: readonly CheckpointView[]): void => {
      const done = run(shown, () => commitCheckpoints(commands, id, draft), 'Failed to save checkpoint changes')
      void done.then((refusal) => {
        if (refusal !== null) say(refusal)
      })
    },
  }
}
