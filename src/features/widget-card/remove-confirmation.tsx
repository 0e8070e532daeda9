import { AlertDialog } from '../../ui/alert-dialog'

interface RemoveConfirmationProps {
  /** Such as "BTC / ETH". */
  readonly pair: string
  readonly onRemove: () => void
  readonly onClose: () => void
}

export const RemoveConfirmation = ({ pair, onRemove, onClose }: RemoveConfirmationProps) => (
  <AlertDialog title="Confirm Deletion" action="Remove" onConfirm={onRemove} onCancel={onClose}>
    Remove <strong>{pair}</strong> and its saved settings from your dashboard?
  </AlertDialog>
)
