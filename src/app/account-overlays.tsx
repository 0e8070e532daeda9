import { useAtomValue, useSetAtom } from 'jotai'
import { AuthDialog } from '../features/auth/auth-forms'
import { ConfirmIdentityDialog } from '../features/auth/confirm-identity-dialog'
import { UpgradeDialog } from '../features/billing/upgrade-dialog'
import { FeedbackDialog } from '../features/feedback/feedback-dialog'
import { PolicyViewer } from '../features/policies/policy-viewer'
import { HomeScreenDialog } from '../features/push/home-screen-dialog'
import { LogOut } from '../features/shell/log-out'
import { accountAtom } from '../state/account'
import { closeOverlayAtom, openOverlayAtom, type Overlay } from '../state/overlays'

interface AccountOverlayProps {
  readonly overlay: Exclude<Overlay, { readonly kind: 'add-pair' | 'changes' | 'checkpoints' }>
}

/** A dialog about accounts or devices. */
export function AccountOverlay({ overlay }: AccountOverlayProps) {
  const account = useAtomValue(accountAtom)
  const open = useSetAtom(openOverlayAtom)
  const closeOverlay = useSetAtom(closeOverlayAtom)
  const close = () => closeOverlay(overlay.kind)
  switch (overlay.kind) {
    case 'auth':
      return <AuthDialog view={overlay} onView={(view) => open({ kind: 'auth', ...view })} onClose={close} />
    case 'confirm-identity':
      return (
        account?.user != null && (
          <ConfirmIdentityDialog
            key={account.owner}
            owner={account.owner}
            user={account.user}
            onAnswer={(confirmed) => {
              close()
              overlay.onAnswer(confirmed)
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
      return <PolicyViewer policy={overlay.policy} onClose={close} />
    case 'upgrade':
      return <UpgradeDialog onClose={close} />
  }
}

/** In this chunk, because the dialog leads to the login. */
export { SessionExpired } from '../features/auth/session-expired'
