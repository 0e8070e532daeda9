import { useAtomValue, useSetAtom } from 'jotai'
import { type ComponentProps, useEffect } from 'react'
import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { accountAtom } from '../state/account'
import { closeDialogAtom, type OpenDialog, openDialogsAtom } from '../state/open-dialogs'
import { lateComponent, lateDialog } from '../ui/late-component'
import { DASHBOARD, screenOf } from './addresses'

const AccountDialog = lateDialog(async () => (await import('./account-dialogs')).AccountDialog)
const SessionExpired = lateDialog(async () => (await import('./account-dialogs')).SessionExpired)
const AddPairDialog = lateDialog(async () => (await import('../features/add-pair/add-pair-dialog')).AddPairDialog)
const ChangesDialog = lateDialog(async () => (await import('../features/changes/changes-dialog')).ChangesDialog)
const CheckpointsDialog = lateDialog(
  async () => (await import('../features/checkpoints/checkpoints-dialog')).CheckpointsDialog,
)
const RulesDialog = lateDialog(async () => (await import('../features/rules/rules-dialog')).RulesDialog)
const ThresholdOfPage = lateDialog(
  async () => (await import('../features/widget-card/threshold-dialog')).ThresholdOfPage,
)
const Toasts = lateComponent(async () => (await import('../features/toasts/toasts')).Toasts)

/**
 * The dialogs and toasts above every screen; each dialog's code is loaded when the dialog first opens.
 * @param props.overShell true while the screens that manage pairs stand below
 */
export function Dialogs({ overShell }: { readonly overShell: boolean }) {
  const [path] = useLocation()
  const account = useAtomValue(accountAtom)
  const dialogs = useAtomValue(openDialogsAtom)
  const close = useSetAtom(closeDialogAtom)

  const draw = (dialog: OpenDialog) => {
    const onClose = () => close(dialog.kind)
    switch (dialog.kind) {
      case 'add-pair':
        return (
          overShell && (
            <AddPairDialog
              key={dialog.kind}
              onClose={onClose}
              onAdded={() => path !== DASHBOARD && navigate(DASHBOARD)}
            />
          )
        )
      case 'changes':
        return overShell && <ChangesDialog key={dialog.kind} onClose={onClose} />
      case 'checkpoints':
        return (
          overShell && (
            <Checkpoints key={`${dialog.kind} ${screenOf(path)}`} widgetId={dialog.widget} onClose={onClose} />
          )
        )
      case 'rules':
        return overShell && <RulesDialog key={dialog.kind} widgetId={dialog.widget} onClose={onClose} />
      case 'threshold':
        return overShell && <ThresholdOfPage key={dialog.kind} {...dialog} onClose={onClose} />
      default:
        return (
          <AccountDialog
            key={dialog.kind}
            dialog={dialog}
            onClose={() => {
              onClose()
              if (dialog.kind === 'confirm-identity') dialog.onAnswer(false)
            }}
          />
        )
    }
  }
  return (
    <>
      {dialogs.map(draw)}
      {/* If its code cannot be loaded, the expired session stays as it is, and the next start asks again. */}
      {account?.expired === true && <SessionExpired owner={account.owner} onClose={() => undefined} />}
      <Toasts />
    </>
  )
}

/** The dialog belongs to a card: it closes with the card's screen. */
function Checkpoints(props: ComponentProps<typeof CheckpointsDialog>) {
  const close = useSetAtom(closeDialogAtom)
  useEffect(() => () => close('checkpoints'), [close])
  return <CheckpointsDialog {...props} />
}
