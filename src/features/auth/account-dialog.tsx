import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'

interface AccountDialogProps {
  readonly mode: 'login' | 'upgrade'
  readonly onClose: () => void
}

const TEXTS = {
  login: {
    title: 'Log In',
    lines: [
      'Accounts are not open on this server yet, so there is nothing to log in to.',
      'You can go on as a guest: your pairs are saved for this browser. To track another pair, remove an active one.',
    ],
  },
  upgrade: {
    title: 'Upgrade',
    lines: [
      'Premium cannot be bought on this server yet.',
      'Your pairs stay as they are. To track another one, remove an active pair.',
    ],
  },
} as const

/** What a person without enough rights is told when asking for more. */
export function AccountDialog({ mode, onClose }: AccountDialogProps) {
  const { title, lines } = TEXTS[mode]
  return (
    <Dialog
      title={title}
      size="sm"
      onClose={onClose}
      footer={
        <Button variant="primary" data-autofocus onClick={onClose}>
          OK
        </Button>
      }
    >
      <div style={{ display: 'grid', gap: 'var(--space-3)' }}>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </Dialog>
  )
}
