import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { releaseHeld } from '../../db/commands/take-back'
import { logOut } from '../../db/leave-owner'
import { unsavedChanges } from '../../db/queries/waiting'
import { accountAtom } from '../../state/account'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'

const lost = (count: number) =>
  count === 1
    ? 'One change is on this device alone. If you log out now, it is lost.'
    : `${count} changes are on this device alone. If you log out now, they are lost.`

/** Logs out while it is mounted; asks first if the server lacks changes, since they go with the user's data. */
export function LogOut({ onClose }: { readonly onClose: () => void }) {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const unsaved = useLiveQuery(() => unsavedChanges(commands.db), [commands.db])
  const account = useAtomValue(accountAtom)
  const [owner] = useState(account?.owner)
  const begun = useRef(false)

  const leave = async () => {
    if (begun.current) return
    begun.current = true
    try {
      await logOut(commands)
      showToast({ kind: 'info', message: 'You are logged out.', ofLeaving: true })
    } catch (error) {
      reportError(error)
      showToast({ kind: 'error', message: 'Could not log out. Please try again.' })
    }
    onClose()
  }
  useEffect(() => {
    releaseHeld(commands)
      .then(() => engine.requestSync('command'))
      .catch(reportError)
  }, [commands, engine])
  useEffect(() => {
    if (unsaved === undefined) return
    // Another tab has logged out already: the changes are another user's by now.
    if (unsaved.owner !== owner) onClose()
    else if (unsaved.count === 0) void leave()
  })

  if (unsaved === undefined || unsaved.count === 0 || unsaved.owner !== owner) return null
  return (
    <AlertDialog title="Log out and lose changes?" action="Log out" onConfirm={() => void leave()} onCancel={onClose}>
      {lost(unsaved.count)}
    </AlertDialog>
  )
}
