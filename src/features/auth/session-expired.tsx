import { useSetAtom, useStore } from 'jotai'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { leaveExpiredSession } from '../../db/leave-owner'
import type { OwnerId } from '../../domain/ids'
import { findDialog, openDialogAtom, openDialogsAtom } from '../../state/open-dialogs'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'
import { AUTH_ADDRESSES } from './auth-place'

const AUTH_PAGES: ReadonlySet<string> = new Set(Object.values(AUTH_ADDRESSES))

/** Asks how to go on after the server has ended the session of `owner`; Escape brings the dialog back. */
export function SessionExpired({ owner }: { readonly owner: OwnerId }) {
  const { commands, engine } = useServices()
  const store = useStore()
  const openDialog = useSetAtom(openDialogAtom)
  const showToast = useSetAtom(showToastAtom)
  const [round, setRound] = useState(0)
  const [path, navigate] = useLocation()

  const leave = async (): Promise<boolean> => {
    try {
      await leaveExpiredSession(commands, owner)
      engine.requestSync('command')
      return true
    } catch (error) {
      reportError(error)
      showToast({ kind: 'error', message: 'The session could not be ended on this device. Please try again.' })
      return false
    }
  }
  const logIn = async () => {
    if (!(await leave())) return
    // On a page with a form no dialog is needed. An open dialog stays: the token of a reset is in no address any more.
    if (AUTH_PAGES.has(path)) navigate(AUTH_ADDRESSES.login)
    else if (findDialog(store.get(openDialogsAtom), 'auth') === undefined) {
      openDialog({ kind: 'auth', view: 'login', notice: 'Your session has expired. Log in again to go on.' })
    }
  }
  return (
    <AlertDialog
      key={round}
      title="Session Expired"
      tone="primary"
      action="Log In"
      cancel="Continue as Guest"
      onConfirm={() => void logIn()}
      onCancel={() => void leave()}
      onEscape={() => setRound(round + 1)}
    >
      <p>Your session has expired. Log in to see your pairs again and to send what you have changed.</p>
      <p>As a guest you do not see the saved widgets of your account. They are kept until you log in.</p>
    </AlertDialog>
  )
}
