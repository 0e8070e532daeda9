import { useAtomValue } from 'jotai'
import { type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { OwnerId } from '../domain/ids'
import { accountAtom } from '../state/account'
import { Waiting } from '../ui/waiting'
import { ErrorBoundary } from './error-boundary'
import { OutsideScreens, PolicyGate } from './lazy-screens'
import { Overlays } from './overlays'
import { type Place, placeOf } from './place'
import { ShellScreens } from './shell-screens'
import { useAddPairAddress } from './use-add-pair-address'
import { useScreenChange } from './use-screen-change'

/** What is shown, by the address and by who uses the app. */
export function Screens() {
  const [path] = useLocation()
  const account = useAtomValue(accountAtom)
  const owner = account?.owner
  const place = placeOf(path, account)
  // Whose changes are listed: the list closes when another uses the app.
  const [listed, setListed] = useState<OwnerId | undefined>()
  useAddPairAddress()
  useScreenChange(owner)
  return (
    <>
      {screenAt(place, () => setListed(owner))}
      <Overlays
        overShell={place.kind === 'shell'}
        listingChanges={listed !== undefined && listed === owner}
        onCloseChanges={() => setListed(undefined)}
      />
    </>
  )
}

function screenAt(place: Place, onOpenChanges: () => void): ReactNode {
  switch (place.kind) {
    case 'outside':
      return alone(<OutsideScreens />)
    case 'loading':
      return (
        <main>
          <Waiting>Loading session...</Waiting>
        </main>
      )
    // By owner: whatever one person has opened or begun to type is gone when another uses the app.
    case 'policies':
      return alone(<PolicyGate key={place.owner} />)
    case 'shell':
      return <ShellScreens key={place.owner} onOpenChanges={onOpenChanges} />
  }
}

/** A screen that nothing stands around. */
const alone = (screen: ReactNode) => (
  <ErrorBoundary within="nothing">
    <Suspense>{screen}</Suspense>
  </ErrorBoundary>
)
