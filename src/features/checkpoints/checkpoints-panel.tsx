import { useMemo, useRef, useState } from 'react'
import { Plus } from 'lucide-react'
import { useSetAtom } from 'jotai'
import type { CommandResult } from '../../db/command'
import { addCheckpoint, type CheckpointDraft, commitCheckpoints } from '../../db/commands/checkpoint-lists'
import type { CheckpointView, WidgetView } from '../../db/view'
import { checkRoomForCheckpoint } from '../../domain/checkpoint-list'
import { messageOf } from '../../domain/error-message'
import { formatRatio } from '../../domain/format-number'
import { type CheckpointId, tempCheckpointId } from '../../domain/ids'
import { pairTitle } from '../../domain/pair'
import type { Limits } from '../../domain/tier-limits'
import { usePairRatio } from '../../state/live-data'
import { useOptimisticPatch } from '../../state/optimistic-patches'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { moved, movedTo } from '../../ui/move-menu'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { CheckpointList } from './checkpoint-list'
import text from '../../ui/text.module.css'
import styles from './checkpoints-panel.module.css'
import { useDraft } from './use-draft'

interface CheckpointsPanelProps {
  readonly widget: WidgetView
  /** Temporary ids and the ids they go by now. */
  readonly ids: Readonly<Record<string, string>>
  readonly limits: Limits
  readonly onClose: () => void
}

export function CheckpointsPanel({ widget, ids, limits, onClose }: CheckpointsPanelProps) {
  const { coinA, coinB } = widget
  const ratio = usePairRatio(coinA.id, coinB.id)
  const unsavable = ratio === null || ratio === 0
  const { commit, add, say } = useCommands(widget)
  const addButton = useRef<HTMLButtonElement>(null)
  const [said, setSaid] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const draft = useDraft({
    live: widget.checkpoints,
    resolve: (id) => (ids[id] ?? id) as CheckpointId,
    commit,
  })
  const keyOf = useKeys(ids)
  const { shown } = draft
  const nameOf = (id: CheckpointId) => {
    const one = shown.find((candidate) => candidate.id === id)
    return one === undefined ? 'Checkpoint' : `Checkpoint ${formatRatio(one.ratio)}`
  }

  const onAdd = async () => {
    if (unsavable || adding) return
    const noRoom = checkRoomForCheckpoint(shown.length, limits)
    setProblem(noRoom)
    if (noRoom !== null) return
    setAdding(true)
    draft.committed()
    const refusal = await add(ratio, draft.draft, shown)
    // Closed meanwhile: there is no place here to say it.
    if (addButton.current === null) return refusal === null ? undefined : say(refusal)
    setAdding(false)
    setProblem(refusal)
    if (refusal !== null) draft.refused()
  }
  const edit = (words: string) => {
    setSaid(words)
    setProblem(null)
  }

  return (
    <Dialog
      title="Manage Checkpoints"
      onClose={onClose}
      footer={
        <div className={styles.footer}>
          <p className={text.quiet}>
            Current ratio <strong className={styles.ratio}>{formatRatio(ratio)}</strong>
          </p>
          <Button
            ref={addButton}
            variant="primary"
            icon={<Plus aria-hidden="true" />}
            data-autofocus
            aria-busy={adding}
            aria-disabled={unsavable}
            onClick={() => void onAdd()}
          >
            Add checkpoint
          </Button>
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        </div>
      }
    >
      <p className={styles.pair}>
        <span>{pairTitle(widget)}</span>
        <span>
          {shown.length} of {limits.max_checkpoints_per_widget}
        </span>
      </p>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {shown.length === 0 ? (
        <p className={styles.empty}>No checkpoints saved.</p>
      ) : (
        <CheckpointList
          checkpoints={shown}
          keyOf={keyOf}
          nameOf={nameOf}
          ratio={ratio}
          onSetDefault={(id) => {
            draft.setDefault(id)
            edit(`${nameOf(id)} is the default.`)
          }}
          onDelete={(id) => {
            draft.remove(id)
            edit(`${nameOf(id)} deleted.`)
            if (shown.length === 1) addButton.current?.focus()
          }}
          onMove={(id, to) => {
            const order = shown.map((one) => one.id)
            draft.reorder(moved(order, order.indexOf(id), to))
            edit(movedTo(nameOf(id), to, shown.length))
          }}
        />
      )}
    </Dialog>
  )
}

/** The key of a checkpoint's row: that of the temporary id it was made with, so that the answer does not remount it. */
function useKeys(ids: Readonly<Record<string, string>>): (id: CheckpointId) => string {
  const temps = useMemo(() => new Map(Object.entries(ids).map(([temp, real]) => [real, temp])), [ids])
  return (id) => temps.get(id) ?? id
}

/** Writes the popover's changes to the local database. What they make of the list shows at once. */
function useCommands({ id, key }: Pick<WidgetView, 'id' | 'key'>) {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const showPatch = useOptimisticPatch()
  const say = (message: string) => showToast({ kind: 'error', message })

  /** The sentence that says why not, or null once it is stored. */
  const run = async (
    checkpoints: readonly CheckpointView[],
    command: () => Promise<CommandResult<unknown>>,
    failure: string,
  ): Promise<string | null> => {
    try {
      const result = await showPatch({ kind: 'change', key, change: { checkpoints } }, command)
      if (!result.ok) return result.message
      engine.requestSync('command')
      return null
    } catch (error) {
      // The local database itself failed, such as with a full disk.
      reportError(error)
      return `${failure}: ${messageOf(error)}`
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
