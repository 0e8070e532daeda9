import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect } from 'react'
import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { addPairOpenAtom, checkpointsOpenAtom } from '../state/panels'
import { partMissingAtom } from '../state/toasts'
import { lastingPart } from '../ui/lasting-part'
import { lazyPart } from '../ui/lazy-part'
import { accountOverlayAtom, closeAccountOverlaysAtom } from './account-overlay-wanted'
import { DASHBOARD, screenOf } from './addresses'

const AccountOverlays = lazyPart(async () => (await import('./account-overlays')).AccountOverlays)
const AddPairDialog = lazyPart(async () => (await import('../features/add-pair/add-pair-dialog')).AddPairDialog)
const ChangesDialog = lazyPart(async () => (await import('../features/changes/changes-dialog')).ChangesDialog)
const CheckpointsDialog = lazyPart(
  async () => (await import('../features/checkpoints/checkpoints-dialog')).CheckpointsDialog,
)
const Toasts = lastingPart(async () => (await import('../features/toasts/toasts')).Toasts)

interface OverlaysProps {
  /** Whether the screens that pairs are managed on stand below. */
  readonly overShell: boolean
  readonly listingChanges: boolean
  readonly onCloseChanges: () => void
}

/** What floats above every screen: dialogs, each loaded when it is first opened, and toasts. */
export function Overlays({ overShell, listingChanges, onCloseChanges }: OverlaysProps) {
  const [path] = useLocation()
  const partMissing = useSetAtom(partMissingAtom)
  return (
    <>
      {overShell && (
        <>
          <AddPair onAdded={() => path !== DASHBOARD && navigate(DASHBOARD)} />
          <Checkpoints key={screenOf(path)} />
          {listingChanges && <ChangesDialog onClose={onCloseChanges} onMissing={() => partMissing(onCloseChanges)} />}
        </>
      )}
      <Account />
      <Toasts />
    </>
  )
}

function AddPair({ onAdded }: { readonly onAdded: () => void }) {
  const [open, setOpen] = useAtom(addPairOpenAtom)
  const partMissing = useSetAtom(partMissingAtom)
  const close = () => setOpen(false)
  return open && <AddPairDialog onClose={close} onAdded={onAdded} onMissing={() => partMissing(close)} />
}

/** It belongs to a card and goes with the card's screen. */
function Checkpoints() {
  const [widget, setWidget] = useAtom(checkpointsOpenAtom)
  const partMissing = useSetAtom(partMissingAtom)
  const close = useCallback(() => setWidget(null), [setWidget])
  useEffect(() => close, [close])
  return widget !== null && <CheckpointsDialog widgetId={widget} onClose={close} onMissing={() => partMissing(close)} />
}

function Account() {
  const wanted = useAtomValue(accountOverlayAtom)
  const close = useSetAtom(closeAccountOverlaysAtom)
  const partMissing = useSetAtom(partMissingAtom)
  return wanted && <AccountOverlays onMissing={() => partMissing(close)} />
}
