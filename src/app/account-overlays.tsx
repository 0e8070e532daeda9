import { useAtom, useAtomValue } from 'jotai'
import { AuthDialog } from '../features/auth/auth-dialog'
import { ConfirmIdentityDialog } from '../features/auth/confirm-identity-dialog'
import { SessionExpired } from '../features/auth/session-expired'
import { UpgradeDialog } from '../features/billing/upgrade-dialog'
import { FeedbackDialog } from '../features/feedback/feedback-dialog'
import { PolicyViewer } from '../features/policies/policy-viewer'
import { HomeScreenDialog } from '../features/push/home-screen-dialog'
import { LogOut } from '../features/shell/log-out'
import { accountAtom } from '../state/account'
import {
  authOpenAtom,
  confirmOpenAtom,
  feedbackOpenAtom,
  homeScreenOpenAtom,
  logOutOpenAtom,
  policyOpenAtom,
  upgradeOpenAtom,
} from '../state/panels'

/** Dialogs about accounts and devices; those further down open above the others. */
export function AccountOverlays() {
  const account = useAtomValue(accountAtom)
  const [auth, setAuth] = useAtom(authOpenAtom)
  const [upgrading, setUpgrading] = useAtom(upgradeOpenAtom)
  const [writing, setWriting] = useAtom(feedbackOpenAtom)
  const [leaving, setLeaving] = useAtom(logOutOpenAtom)
  const [explaining, setExplaining] = useAtom(homeScreenOpenAtom)
  const [confirming, setConfirming] = useAtom(confirmOpenAtom)
  const [policy, setPolicy] = useAtom(policyOpenAtom)
  return (
    <>
      {auth !== null && <AuthDialog view={auth} onView={setAuth} onClose={() => setAuth(null)} />}
      {upgrading && <UpgradeDialog onClose={() => setUpgrading(false)} />}
      {writing && <FeedbackDialog onClose={() => setWriting(false)} />}
      {leaving && <LogOut onClose={() => setLeaving(false)} />}
      {explaining && <HomeScreenDialog onClose={() => setExplaining(false)} />}
      {confirming !== null && account?.user != null && (
        <ConfirmIdentityDialog
          key={account.owner}
          owner={account.owner}
          user={account.user}
          onAnswer={(confirmed) => {
            setConfirming(null)
            confirming.onAnswer(confirmed)
          }}
        />
      )}
      {account?.expired === true && <SessionExpired owner={account.owner} />}
      {policy !== null && <PolicyViewer policy={policy} onClose={() => setPolicy(null)} />}
    </>
  )
}
