import type { Channel } from '../../contract/channels'
import { AlertDialog } from '../../ui/alert-dialog'
import { AddWay, type AddWayProps } from './add-way'
import { ShownOnceDialog } from './shown-once-dialog'
import type { WayStep } from './use-way-acts'
import styles from './way-dialogs.module.css'
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

/** Shows what signs a webhook's messages. */
function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <ShownOnceDialog
      title="Signing secret"
      kept="I have kept it"
      copied={secret}
      notCopied="The secret could not be copied. Write it down."
      onClose={onClose}
    >
      <p>
        The receiver checks by it that a message comes from here (Standard Webhooks). It is not shown again. A secret
        that it takes the place of goes on signing for 24 hours.
      </p>
      <code className={styles.secret}>{secret}</code>
    </ShownOnceDialog>
  )
}
