import { useState } from 'react'
import { useTopModal } from '../../ui/top-modal'

/**
 * True while a dialog of one's own is wanted, from the first moment on at which no other dialog is open. A dialog that
 * opens above it later does not take it away.
 */
export function useFreeScreen(wanted: boolean): boolean {
  const top = useTopModal()
  const [open, setOpen] = useState(false)
  if (!wanted && open) setOpen(false)
  if (wanted && !open && top === null) setOpen(true)
  return wanted && open
}
