import { useSetAtom } from 'jotai'
import { EllipsisVertical, Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { CheckpointView, WidgetView } from '../../db/view'
import { withoutCheckpoints } from '../../domain/checkpoint-list'
import { formatRatio } from '../../domain/format-number'
import { LISTS_NEED_PREMIUM } from '../../domain/pair'
import { showLimitAtom } from '../../state/account'
import { showToastAtom } from '../../state/toasts'
import { IconButton } from '../../ui/button'
import { formatShortDateTime } from '../../ui/format-time'
import { Tooltip } from '../../ui/tooltip'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './checkpoint-field.module.css'
import { HiddenLabel } from './hidden-label'
import { useAccount } from './figure'

export const defaultOf = (list: readonly CheckpointView[]): CheckpointView | null =>
  list.find((one) => one.isDefault) ?? null

/** With this as the default checkpoint: what there was is brought up to date, else it is added. */
export function withDefaultSaved(
  list: readonly CheckpointView[],
  saved: Pick<CheckpointView, 'id' | 'ratio' | 'timestamp'>,
): CheckpointView[] {
  const present = defaultOf(list)
  if (present === null) return [...list, { ...saved, isDefault: true, isPending: true }]
  return list.map((one) => (one === present ? { ...saved, id: one.id, isDefault: true, isPending: true } : one))
}

/** Without the default checkpoint; another takes its place as the domain decides. */
export function withoutDefault(list: readonly CheckpointView[]): CheckpointView[] {
  const listed = list.map((one, index) => ({ id: one.id, is_default: one.isDefault, display_order: index, one }))
  const gone = listed.filter((entry) => entry.is_default).map((entry) => entry.id)
  return withoutCheckpoints(listed, gone).map(({ one, is_default }) => ({ ...one, isDefault: is_default }))
}

const PENDING = 'Checkpoints can be managed once the pair is saved'

interface ManageLock {
  /** Why the checkpoints of this pair cannot be managed; null: they can. */
  readonly reason: string | null
  /** Says so: a tap shows no tooltip. */
  readonly explain: () => void
}

export function useManageLock(widget: WidgetView): ManageLock {
  const account = useAccount()
  const showToast = useSetAtom(showToastAtom)
  const showLimit = useSetAtom(showLimitAtom)
  const reason = account !== 'premium' ? LISTS_NEED_PREMIUM : widget.isPending ? PENDING : null
  return {
    reason,
    explain: () => {
      if (reason === LISTS_NEED_PREMIUM) showLimit(`${reason}.`)
      else if (reason !== null) showToast({ kind: 'info', message: `${reason}.` })
    },
  }
}

interface CheckpointFieldProps {
  /** The default one; null: none is saved. */
  readonly checkpoint: CheckpointView | null
  /** Milliseconds: only the year counts. */
  readonly now: number
  readonly arming: boolean
  /** Why checkpoints cannot be managed; null: they can. */
  readonly lock: string | null
  readonly onArm: () => void
  readonly onManage: () => void
  readonly onDelete: () => void
}

const HINT = 'Click the ratio to save it'
const SPOKEN_HINT = 'Press Current ratio to save it, or Escape to keep the checkpoint as it is.'

/** The default checkpoint. A click arms the ratio above, which then saves itself here. */
export function CheckpointField({ checkpoint, now, arming, lock, onArm, onManage, onDelete }: CheckpointFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <HiddenLabel htmlFor={id} text="Checkpoint" />
      <button
        type="button"
        id={id}
        aria-describedby={`${id}-value`}
        aria-pressed={arming}
        title={arming ? 'Keep the checkpoint as it is' : 'Save the current ratio as checkpoint'}
        className={styles.button}
        onClick={onArm}
      >
        <span className={styles.label}>Checkpoint</span>
        <span id={`${id}-value`} className={styles.value}>
          {arming ? (
            <span className={styles.hint}>{HINT}</span>
          ) : checkpoint === null ? (
            <span className={styles.none}>None saved</span>
          ) : (
            <>
              <span className={styles.ratio}>{formatRatio(checkpoint.ratio)}</span>{' '}
              <time dateTime={checkpoint.timestamp} className={styles.time}>
                {formatShortDateTime(Date.parse(checkpoint.timestamp), now)}
              </time>
            </>
          )}
        </span>
      </button>
      {/* Inside the button nothing is announced: what a button contains is only its name. */}
      <VisuallyHidden role="status">{arming ? SPOKEN_HINT : ''}</VisuallyHidden>
      <IconButton size="sm" label="Delete checkpoint" disabled={checkpoint === null} onClick={onDelete}>
        <Trash2 aria-hidden="true" />
      </IconButton>
      <ManageButton lock={lock} onManage={onManage} />
    </div>
  )
}

/** Stays focusable while locked: whoever comes to it by keyboard has to hear why. */
function ManageButton({ lock, onManage }: Pick<CheckpointFieldProps, 'lock' | 'onManage'>) {
  const button = (describedBy?: string) => (
    <IconButton
      size="sm"
      label="Manage checkpoints"
      aria-haspopup="dialog"
      aria-disabled={lock !== null}
      aria-describedby={describedBy}
      title={lock === null ? undefined : ''}
      onClick={onManage}
    >
      <EllipsisVertical aria-hidden="true" />
    </IconButton>
  )
  if (lock === null) return button()
  return (
    <Tooltip text={lock} align="end">
      {button}
    </Tooltip>
  )
}
