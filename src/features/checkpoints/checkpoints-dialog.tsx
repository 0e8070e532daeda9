import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { Plus } from 'lucide-react'
import { type Ref, useEffect, useMemo, useRef, useState } from 'react'
import { addCheckpoint, commitCheckpoints } from '../../db/commands/checkpoint-lists'
import type { CheckpointDraft } from '../../domain/checkpoint-draft'
import { findWidget, type PairView, type WidgetView } from '../../db/view'
import { checkRoomForCheckpoint } from '../../domain/checkpoint-list'
import { messageOf } from '../../domain/error-message'
import { formatRatio } from '../../domain/format-number'
import type { CheckpointId, WidgetId } from '../../domain/ids'
import { LISTS_NEED_PREMIUM, pairTitle } from '../../domain/pair'
import type { Limits } from '../../domain/tier-limits'
import { explainRemoval } from '../../state/explain-removal'
import { boardAtom, pairPricesAtom, usePairRatio } from '../../state/live-data'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { useCommand, useHold } from '../../state/use-command'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { moved, movedTo } from '../../ui/move-menu'
import { VisuallyHidden } from '../../ui/visually-hidden'
import text from '../../ui/text.module.css'
import { CheckpointList } from './checkpoint-list'
import styles from './checkpoints-dialog.module.css'
import { useDraft } from './use-draft'

interface CheckpointsDialogProps {
  readonly widgetId: WidgetId
  readonly onClose: () => void
}

/** "Manage Checkpoints" of one pair. Closes when the pair goes or becomes inactive, or its owner loses premium. */
export function CheckpointsDialog({ widgetId, onClose }: CheckpointsDialogProps) {
  const board = useAtomValue(boardAtom)
  const showToast = useSetAtom(showToastAtom)
  const widget = board && findWidget(board, widgetId)
  const manageable = board?.account === 'premium' && widget?.isActive === true && !widget.isPending
  const over = board !== undefined && !manageable
  const needsPremium = board?.account === 'premium' ? null : `${LISTS_NEED_PREMIUM}.`
  const why = board === undefined ? null : (explainRemoval(board, widgetId) ?? needsPremium)

  useEffect(() => {
    if (!over) return
    if (why !== null) showToast({ kind: 'info', message: why })
    onClose()
  }, [over, why, onClose, showToast])

  if (board === undefined || widget === undefined || !manageable) return null
  return <CheckpointsPanel key={widget.key} widget={widget} ids={board.ids} limits={board.limits} onClose={onClose} />
}

interface CheckpointsPanelProps {
  readonly widget: WidgetView
  /** Temporary ids and the server's ids that have replaced them. */
  readonly ids: Readonly<Record<string, string>>
  readonly limits: Limits
  readonly onClose: () => void
}

function CheckpointsPanel({ widget, ids, limits, onClose }: CheckpointsPanelProps) {
  const ratio = usePairRatio(widget.coinA.id, widget.coinB.id)
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

  const onAdd = async () => {
    if (!isSavable(ratio) || adding) return
    const noRoom = checkRoomForCheckpoint(shown.length, limits)
    setProblem(noRoom)
    if (noRoom !== null) return
    setAdding(true)
    draft.committed()
    const refusal = await add(ratio, draft.draft)
    // The user has closed the dialog meanwhile: a toast says it.
    if (addButton.current === null) return refusal === null ? undefined : say(refusal)
    setAdding(false)
    setProblem(refusal)
    if (refusal !== null) draft.refused()
  }

  return (
    <Dialog
      title="Manage Checkpoints"
      onClose={onClose}
      footer={<Footer ratio={ratio} adding={adding} problem={problem} button={addButton} onAdd={() => void onAdd()} />}
    >
      <p className={styles.pair}>
        <span>{pairTitle(widget)}</span>
        <span>
          {shown.length} of {limits.max_checkpoints_per_widget}
        </span>
      </p>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <EditedList
        pair={widget}
        draft={draft}
        ratio={ratio}
        keyOf={keyOf}
        onEdit={(words) => {
          setSaid(words)
          setProblem(null)
        }}
        onEmpty={() => addButton.current?.focus()}
      />
    </Dialog>
  )
}

const isSavable = (ratio: number | null): ratio is number => ratio !== null && ratio !== 0

interface FooterProps {
  readonly ratio: number | null
  readonly adding: boolean
  readonly problem: string | null
  readonly button: Ref<HTMLButtonElement>
  readonly onAdd: () => void
}

const Footer = ({ ratio, adding, problem, button, onAdd }: FooterProps) => (
  <div className={styles.footer}>
    <p className={text.quiet}>
      Current ratio <strong className={styles.ratio}>{formatRatio(ratio)}</strong>
    </p>
    <Button
      ref={button}
      variant="primary"
      icon={Plus}
      data-autofocus
      aria-busy={adding}
      aria-disabled={!isSavable(ratio)}
      onClick={onAdd}
    >
      Add checkpoint
    </Button>
    <p role="alert" className={styles.problem}>
      {problem}
    </p>
  </div>
)

interface EditedListProps {
  readonly pair: PairView
  readonly draft: ReturnType<typeof useDraft>
  readonly ratio: number | null
  readonly keyOf: (id: CheckpointId) => string
  /** The user has edited the draft; `words` say how. */
  readonly onEdit: (words: string) => void
  readonly onEmpty: () => void
}

/** The checkpoints as the draft has them. */
function EditedList({ pair, draft, ratio, keyOf, onEdit, onEmpty }: EditedListProps) {
  const { shown } = draft
  if (shown.length === 0) return <p className={styles.empty}>No checkpoints saved.</p>
  const nameOf = (id: CheckpointId) => {
    const one = shown.find((candidate) => candidate.id === id)
    return one === undefined ? 'Checkpoint' : `Checkpoint ${formatRatio(one.ratio)}`
  }
  return (
    <CheckpointList
      pair={pair}
      checkpoints={shown}
      keyOf={keyOf}
      nameOf={nameOf}
      ratio={ratio}
      onSetDefault={(id) => {
        draft.setDefault(id)
        onEdit(`${nameOf(id)} is the default.`)
      }}
      onDelete={(id) => {
        draft.remove(id)
        onEdit(`${nameOf(id)} deleted.`)
        if (shown.length === 1) onEmpty()
      }}
      onMove={(id, to) => {
        const order = shown.map((one) => one.id)
        draft.reorder(moved(order, order.indexOf(id), to))
        onEdit(movedTo(nameOf(id), to, shown.length))
      }}
    />
  )
}

/** The key of a checkpoint's row: its temporary id, so that the server's answer does not remount the row. */
function useKeys(ids: Readonly<Record<string, string>>): (id: CheckpointId) => string {
  const temps = useMemo(() => new Map(Object.entries(ids).map(([temp, real]) => [real, temp])), [ids])
  return (id) => temps.get(id) ?? id
}

/** Writes the dialog's changes to the local database; those that delete a checkpoint can be undone. */
function useCommands(widget: WidgetView) {
  const { id, coinA, coinB } = widget
  const store = useStore()
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const run = useCommand()
  const hold = useHold()
  const heldFor = ({ deleted }: CheckpointDraft, adds = '') => {
    const words = deleted.length === 1 ? 'Checkpoint' : `${deleted.length} checkpoints`
    return deleted.length > 0 && { hold: hold(`${words} of ${pairTitle(widget)} deleted${adds}.`) }
  }
  return {
    say: (message: string) => showToast({ kind: 'error', message }),
    /** Resolves to the sentence that refuses the addition, which the dialog shows, or null once it is stored. */
    add: async (ratio: number, draft: CheckpointDraft): Promise<string | null> => {
      try {
        const held = heldFor(draft, ', and another one added')
        const prices = store.get(pairPricesAtom(coinA.id, coinB.id))
        const result = await addCheckpoint({ ...commands, ...held }, id, ratio, draft, prices)
        if (!result.ok) return result.message
        engine.requestSync('command')
        return null
      } catch (error) {
        reportError(error)
        return `Failed to add checkpoint: ${messageOf(error)}`
      }
    },
    /** Resolves to whether the draft is stored. The dialog may have closed by then, so a toast says what went wrong. */
    commit: async (draft: CheckpointDraft): Promise<boolean> => {
      const result = await run(
        (context) => commitCheckpoints({ ...context, ...heldFor(draft) }, id, draft),
        (error) => `Failed to save checkpoint changes: ${messageOf(error)}`,
      )
      return result.ok
    },
  }
}
