import { useAtomValue, useSetAtom } from 'jotai'
import { AuthDialog } from '../features/auth/auth-forms'
import { ConfirmIdentityDialog } from '../features/auth/confirm-identity-dialog'
import { UpgradeDialog } from '../features/billing/upgrade-dialog'
import { FeedbackDialog } from '../features/feedback/feedback-dialog'
import { PolicyViewer } from '../features/policies/policy-viewer'
import { HomeScreenDialog } from '../features/push/home-screen-dialog'
import { LogOut } from '../features/shell/log-out'
import { accountAtom } from '../state/account'
import { closeDialogAtom, openDialogAtom, type OpenDialog } from '../state/open-dialogs'

interface AccountDialogProps {
  readonly dialog: Exclude<
    OpenDialog,
    { readonly kind: 'add-pair' | 'changes' | 'checkpoints' | 'rules' | 'threshold' }
  >
}

/** A dialog about accounts or devices. */
export function AccountDialog({ dialog }: AccountDialogProps) {
  const account = useAtomValue(accountAtom)
  const open = useSetAtom(openDialogAtom)
  const closeDialog = useSetAtom(closeDialogAtom)
  const close = () => closeDialog(dialog.kind)
  switch (dialog.kind) {
    case 'auth':
      return <AuthDialog view={dialog} onView={(view) => open({ kind: 'auth', ...view })} onClose={close} />
    case 'confirm-identity':
      return (
        account?.user != null && (
          <ConfirmIdentityDialog
            key={account.owner}
            owner={account.owner}
            user={account.user}
            onAnswer={(confirmed) => {
              close()
              dialog.onAnswer(confirmed)
            }}
          />
        )
      )
    case 'feedback':
      return <FeedbackDialog onClose={close} />
    case 'home-screen':
      return <HomeScreenDialog onClose={close} />
    case 'log-out':
      return <LogOut onClose={close} />
    case 'policy':
      return <PolicyViewer policy={dialog.policy} onClose={close} />
    case 'upgrade':
      return <UpgradeDialog onClose={close} />
  }
}

/** In this chunk, because the dialog leads to the login. */
export { SessionExpired } from '../features/auth/session-expired'
