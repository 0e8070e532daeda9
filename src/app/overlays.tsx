import { useAtomValue, useSetAtom } from 'jotai'
import { type ComponentProps, useEffect } from 'react'
import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { accountAtom } from '../state/account'
import { closeOverlayAtom, type Overlay, overlaysAtom } from '../state/overlays'
import { reportMissingChunkAtom } from '../state/toasts'
import { deferredComponent, optionalComponent } from '../ui/deferred-component'
import { DASHBOARD, screenOf } from './addresses'

const AccountOverlay = optionalComponent(async () => (await import('./account-overlays')).AccountOverlay)
const SessionExpired = optionalComponent(async () => (await import('./account-overlays')).SessionExpired)
const AddPairDialog = optionalComponent(
  async () => (await import('../features/add-pair/add-pair-dialog')).AddPairDialog,
)
const ChangesDialog = optionalComponent(async () => (await import('../features/changes/changes-dialog')).ChangesDialog)
const CheckpointsDialog = optionalComponent(
  async () => (await import('../features/checkpoints/checkpoints-dialog')).CheckpointsDialog,
)
const Toasts = deferredComponent(async () => (await import('../features/toasts/toasts')).Toasts)

/**
 * The dialogs and toasts above every screen; each dialog's code is loaded when the dialog first opens.
 * @param props.overShell true while the screens that manage pairs stand below
 */
export function Overlays({ overShell }: { readonly overShell: boolean }) {
  const [path] = useLocation()
  const account = useAtomValue(accountAtom)
  const overlays = useAtomValue(overlaysAtom)
  const close = useSetAtom(closeOverlayAtom)
  const reportMissingChunk = useSetAtom(reportMissingChunkAtom)

  const draw = (overlay: Overlay) => {
    const onClose = () => close(overlay.kind)
    const onMissing = () => reportMissingChunk(onClose)
    switch (overlay.kind) {
      case 'add-pair':
        return (
          overShell && (
            <AddPairDialog
              key={overlay.kind}
              onClose={onClose}
              onAdded={() => path !== DASHBOARD && navigate(DASHBOARD)}
              onMissing={onMissing}
            />
          )
        )
      case 'changes':
        return overShell && <ChangesDialog key={overlay.kind} onClose={onClose} onMissing={onMissing} />
      case 'checkpoints':
        return (
          overShell && (
            <Checkpoints
              key={`${overlay.kind} ${screenOf(path)}`}
              widgetId={overlay.widget}
              onClose={onClose}
              onMissing={onMissing}
            />
          )
        )
      default:
        return (
          <AccountOverlay
            key={overlay.kind}
            overlay={overlay}
            onMissing={() => {
              onMissing()
              if (overlay.kind === 'confirm-identity') overlay.onAnswer(false)
            }}
          />
        )
    }
  }
  return (
    <>
      {overlays.map(draw)}
      {/* If its code cannot be loaded, the expired session stays as it is, and the next start asks again. */}
      {account?.expired === true && (
        <SessionExpired owner={account.owner} onMissing={() => reportMissingChunk(() => undefined)} />
      )}
      <Toasts />
    </>
  )
}

/** The dialog belongs to a card: it closes with the card's screen. */
function Checkpoints(props: ComponentProps<typeof CheckpointsDialog>) {
  const close = useSetAtom(closeOverlayAtom)
  useEffect(() => () => close('checkpoints'), [close])
  return <CheckpointsDialog {...props} />
}
