import { useSetAtom } from 'jotai'
import { EllipsisVertical, Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { WidgetView } from '../../db/view'
import { LISTS_NEED_PREMIUM } from '../../domain/pair'
import { showLimitAtom } from '../../state/account'
import { openDialogAtom } from '../../state/open-dialogs'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { defaultOf } from '../../state/use-default-checkpoint'
import { IconButton } from '../../ui/button'
import { formatShortDateTime } from '../../domain/local-time'
import { Tooltip } from '../../ui/tooltip'
import { VisuallyHidden } from '../../ui/visually-hidden'
import text from '../../ui/text.module.css'
import styles from './checkpoint-field.module.css'
import { useAccount } from './figure'
import { SettingBox, SettingValue } from './setting-value'

const PENDING = 'Checkpoints can be managed once the pair is saved'

interface CheckpointFieldProps {
  readonly widget: WidgetView
  readonly arming: boolean
  readonly onArm: () => void
  readonly onDelete: () => void
}

const HINT = 'Click the ratio to save it'
const SPOKEN_HINT = 'Press Current ratio to save it, or Escape to keep the checkpoint as it is.'

/** The default checkpoint. A click arms the ratio above, which then saves itself here. */
export function CheckpointField({ widget, arming, onArm, onDelete }: CheckpointFieldProps) {
  const id = useId()
  const now = useServices().commands.now()
  const checkpoint = defaultOf(widget.checkpoints)
  return (
    <div className={styles.field}>
      <VisuallyHidden>
        <label htmlFor={id}>Checkpoint</label>
      </VisuallyHidden>
      <SettingBox
        id={id}
        aria-describedby={`${id}-value`}
        aria-pressed={arming}
        title={arming ? 'Keep the checkpoint as it is' : 'Save the current ratio as checkpoint'}
        className={styles.button}
        onClick={onArm}
      >
        <span className={styles.label}>Checkpoint</span>
        <span id={`${id}-value`} className={styles.value}>
          <SettingValue
            waiting={widget.waiting}
            value={checkpoint?.ratio ?? null}
            className={styles.ratio}
            hidden={arming}
          />
          {arming ? (
            <span className={styles.hint}>{HINT}</span>
          ) : checkpoint === null ? (
            <span className={text.muted}>None saved</span>
          ) : (
            <>
              {' '}
              <time dateTime={checkpoint.timestamp} className={styles.time}>
                {formatShortDateTime(Date.parse(checkpoint.timestamp), now)}
              </time>
            </>
          )}
        </span>
      </SettingBox>
      {/* Beside the button: screen readers announce nothing inside one. */}
      <VisuallyHidden role="status">{arming ? SPOKEN_HINT : ''}</VisuallyHidden>
      <IconButton size="sm" label="Delete checkpoint" icon={Trash2} disabled={checkpoint === null} onClick={onDelete} />
      <ManageButton widget={widget} />
    </div>
  )
}

/** Opens the dialog, or says why the pair's checkpoints cannot be managed: while locked, it stays focusable. */
function ManageButton({ widget }: Pick<CheckpointFieldProps, 'widget'>) {
  const account = useAccount()
  const openDialog = useSetAtom(openDialogAtom)
  const showToast = useSetAtom(showToastAtom)
  const showLimit = useSetAtom(showLimitAtom)
  const lock = account !== 'premium' ? LISTS_NEED_PREMIUM : widget.isPending ? PENDING : null
  const press = () => {
    if (lock === null) openDialog({ kind: 'checkpoints', widget: widget.id })
    // A tap shows no tooltip.
    else if (lock === LISTS_NEED_PREMIUM) showLimit(`${lock}.`)
    else showToast({ kind: 'info', message: `${lock}.` })
  }
  const button = (describedBy?: string) => (
    <IconButton
      size="sm"
      label="Manage checkpoints"
      icon={EllipsisVertical}
      aria-haspopup="dialog"
      aria-disabled={lock !== null}
      aria-describedby={describedBy}
      title={lock === null ? undefined : ''}
      onClick={press}
    />
  )
  if (lock === null) return button()
  return (
    <Tooltip text={lock} align="end">
      {button}
    </Tooltip>
  )
}
