import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { logOut } from '../../db/commands/log-out'
import type { LocalDatabase } from '../../db/database'
import { readSession } from '../../db/queries/session'
import { waitingOps } from '../../db/queries/waiting'
import { accountAtom } from '../../state/account'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'

const lost = (count: number) =>
  count === 1
    ? 'One change has not reached the server yet. If you log out now, it is lost.'
    : `${count} changes have not reached the server yet. If you log out now, they are lost.`

/** Logs out while it is mounted; asks first if changes wait, since they go with the user's data. */
export function LogOut({ onClose }: { readonly onClose: () => void }) {
  const { commands } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const present = useLiveQuery(() => readWaiting(commands.db), [commands.db])
  const waiting = present?.waiting
  const account = useAtomValue(accountAtom)
  const [whose] = useState(account?.owner)
  const begun = useRef(false)

  const leave = async () => {
    if (begun.current) return
    begun.current = true
    try {
      await logOut(commands)
      showToast({ type: 'info', message: 'You are logged out.' })
    } catch (error) {
      reportError(error)
      showToast({ type: 'error', message: 'Could not log out. Please try again.' })
    }
    onClose()
  }
  useEffect(() => {
    if (present === undefined) return
    // Another tab was faster: nobody is asked about what is somebody else's.
    if (present.owner !== whose) onClose()
    else if (present.waiting === 0) void leave()
  })

  if (waiting === undefined || waiting === 0 || present?.owner !== whose) return null
  return (
    <AlertDialog title="Log out and lose changes?" action="Log Out" onConfirm={() => void leave()} onCancel={onClose}>
      {lost(waiting)}
    </AlertDialog>
  )
}

/** Who is signed in and what waits, of one moment: read apart, the guest's would pass for the user's. */
const readWaiting = (db: LocalDatabase) =>
  db.transaction('r', db.session, db.outbox, async () => ({
    owner: (await readSession(db))?.owner,
    waiting: (await waitingOps(db)).length,
  }))
