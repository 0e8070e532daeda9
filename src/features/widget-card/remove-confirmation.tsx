import { AlertDialog } from '../../ui/alert-dialog'

interface RemoveConfirmationProps {
  /** Such as "BTC / ETH". */
  readonly pair: string
  readonly onRemove: () => void
  readonly onCancel: () => void
}

export function RemoveConfirmation({ pair, onRemove, onCancel }: RemoveConfirmationProps) {
  return (
    <AlertDialog title="Confirm Deletion" action="Remove" onConfirm={onRemove} onCancel={onCancel}>
      Remove <strong>{pair}</strong> and its saved settings from your dashboard?
    </AlertDialog>
  )
}
