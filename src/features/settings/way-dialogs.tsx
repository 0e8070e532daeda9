import type { Channel } from '../../contract/channels'
import { AlertDialog } from '../../ui/alert-dialog'
import { AddWay, type AddWayProps } from './add-way'
import { SecretDialog } from './secret-dialog'
import type { WayStep } from './use-way-acts'
import { nameOfWay } from './way-words'

interface WayDialogsProps extends AddWayProps {
  readonly step: WayStep | null
  readonly onRemove: (way: Channel) => void
}

/** The dialog of the step that the user is at. */
export function WayDialogs({ step, onRemove, ...adding }: WayDialogsProps) {
  switch (step?.kind) {
    case 'adding':
      return <AddWay {...adding} />
    case 'told':
      return <SecretDialog secret={step.secret} onClose={adding.onClose} />
    case 'confirming':
      return (
        <AlertDialog
          title={`Remove ${nameOfWay(step.way)}?`}
          action="Remove"
          onCancel={adding.onClose}
          onConfirm={() => onRemove(step.way)}
        >
          No more alerts go there, and what still waits is not sent.
        </AlertDialog>
      )
    case 'acting':
    case undefined:
      return null
  }
}
