import { useSetAtom } from 'jotai'
import { CircleUserRound } from 'lucide-react'
import { useState } from 'react'
import { partMissingAtom } from '../../state/toasts'
import { IconButton } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'

const AccountSheet = lazyPart(async () => (await import('./account-sheet')).AccountSheet)

/** The phone's way to the account, without the detour by the menu. */
export function AccountButton() {
  const [open, setOpen] = useState(false)
  const partMissing = useSetAtom(partMissingAtom)
  const close = () => setOpen(false)
  return (
    <>
      <IconButton label="Account" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <CircleUserRound aria-hidden="true" />
      </IconButton>
      {open && <AccountSheet onClose={close} onMissing={() => partMissing(close)} />}
    </>
  )
}
