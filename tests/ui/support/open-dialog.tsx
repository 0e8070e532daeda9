import { useAtomValue } from 'jotai'
import { AccountDialog } from '../../../src/app/account-dialogs'
import { SessionExpired } from '../../../src/features/auth/session-expired'
import { accountAtom } from '../../../src/state/account'
import { findDialog, type OpenDialog, openDialogsAtom } from '../../../src/state/open-dialogs'
import type { LocalApp } from './local-app'

/** The open dialog of a kind; undefined: none is open. */
export const openDialog = <K extends OpenDialog['kind']>(store: LocalApp['store'], kind: K) =>
  findDialog(store.get(openDialogsAtom), kind)

/** The dialogs about accounts, as src/app/dialog-stack.tsx draws them, without the wait for their code. */
export function AccountDialogs() {
  const account = useAtomValue(accountAtom)
  return (
    <>
      {useAtomValue(openDialogsAtom).map((one) => {
        switch (one.kind) {
          case 'add-pair':
          case 'changes':
          case 'checkpoints':
          case 'rules':
          case 'threshold':
            throw new Error(one.kind)
        }
        return <AccountDialog key={one.kind} dialog={one} />
      })}
      {account?.expired === true && <SessionExpired owner={account.owner} />}
    </>
  )
}
