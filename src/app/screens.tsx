import { useAtomValue } from 'jotai'
import { type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { AccountView } from '../db/queries/account'
import type { OwnerId } from '../domain/ids'
import { accountAtom } from '../state/account'
import { Waiting } from '../ui/waiting'
import { ErrorBoundary } from './error-boundary'
import { OutsideScreens, PolicyGate } from './lazy-screens'
import { isOutside } from './outside/addresses'
import { Overlays } from './overlays'
import { ShellScreens } from './shell-screens'
import { useAddPairAddress } from './use-add-pair-address'
import { useScreenChange } from './use-screen-change'

/** What is shown, by the address and by who uses the app. */
export function Screens() {
  const account = useAtomValue(accountAtom)
  const owner = account?.owner
  // Whose changes are listed: the list closes when another uses the app.
  const [listed, setListed] = useState<OwnerId | undefined>()
  useAddPairAddress()
  useScreenChange(owner)
  return (
    <>
      <Place account={account} onOpenChanges={() => setListed(owner)} />
      <Overlays listingChanges={listed !== undefined && listed === owner} onCloseChanges={() => setListed(undefined)} />
    </>
  )
}

interface PlaceProps {
  readonly account: AccountView | undefined
  readonly onOpenChanges: () => void
}

function Place({ account, onOpenChanges }: PlaceProps) {
  const [path] = useLocation()
  if (isOutside(path)) return alone(<OutsideScreens />)
  if (account === undefined) {
    return (
      <main>
        <Waiting>Loading session...</Waiting>
      </main>
    )
  }
  if (account.mustAccept) return alone(<PolicyGate key={account.owner} />)
  // Whatever one person has opened or begun to type is gone when another uses the app.
  return <ShellScreens key={account.owner} onOpenChanges={onOpenChanges} />
}

/** A screen that nothing stands around. */
const alone = (screen: ReactNode) => (
  <ErrorBoundary within="nothing">
    <Suspense>{screen}</Suspense>
  </ErrorBoundary>
)
