import { atom, useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { AccountView } from '../db/account'
import type { OwnerId } from '../domain/ids'
import { MAIN_ID } from '../features/shell/shell'
import { accountAtom, askToAddPairAtom } from '../state/account'
import { boardAtom } from '../state/live-data'
import { lateComponent } from '../ui/late-component'
import { Waiting } from '../ui/skeleton'
import { DASHBOARD, isOutside } from './addresses'
import { ErrorBoundary } from './error-boundary'
import { Dialogs } from './dialog-stack'
import { ShellScreens } from './shell-screens'
import { useScreenOf } from './screen'

const OutsideScreens = lateComponent(async () => (await import('./outside/outside-screens')).OutsideScreens, {
  onFailure: 'throw',
})
const PolicyGate = lateComponent(async () => (await import('./outside/policy-gate')).PolicyGate, { onFailure: 'throw' })

/** Screen for the address and the current user. */
export function Screens() {
  const [path] = useLocation()
  const account = useAtomValue(accountAtom)
  const owner = account?.owner
  const place = placeOf(path, account)
  useAddPairAddress()
  useScreenChange(owner)
  return (
    <>
      {screenAt(place)}
      <Dialogs overShell={place.kind === 'shell'} />
    </>
  )
}

function screenAt(place: Place): ReactNode {
  switch (place.kind) {
    case 'outside':
      return alone(<OutsideScreens />)
    case 'loading':
      return (
        <main>
          <Waiting>Loading session...</Waiting>
        </main>
      )
    // Keyed by owner: one user's open views and typed text are gone when another uses the app.
    case 'policies':
      return alone(<PolicyGate key={place.owner} />)
    case 'shell':
      return <ShellScreens key={place.owner} />
  }
}

/** A screen that nothing stands around. */
const alone = (screen: ReactNode) => <ErrorBoundary within="nothing">{screen}</ErrorBoundary>

/** Place of the window: the shell, or a page outside it. */
type Place =
  | { readonly kind: 'outside' }
  | { readonly kind: 'loading' }
  /** The policies, until this user has accepted them. */
  | { readonly kind: 'policies'; readonly owner: AccountView['owner'] }
  | { readonly kind: 'shell'; readonly owner: AccountView['owner'] }

/** @param account undefined while the session is loading */
function placeOf(path: string, account: AccountView | undefined): Place {
  if (isOutside(path)) return { kind: 'outside' }
  if (account === undefined) return { kind: 'loading' }
  return { kind: account.mustAccept ? 'policies' : 'shell', owner: account.owner }
}

/** The board says if there is room for another pair. */
const boardKnownAtom = atom((get) => get(boardAtom) !== undefined)

/** Opens "Create New Pair" at `/?add-pair`, the address of the installed app's shortcut, and shortens the address. */
function useAddPairAddress(): void {
  const search = useSearch()
  const known = useAtomValue(boardKnownAtom)
  const askToAddPair = useSetAtom(askToAddPairAtom)
  useEffect(() => {
    if (!known || !new URLSearchParams(search).has('add-pair')) return
    askToAddPair()
    navigate(DASHBOARD, { replace: true })
  }, [known, search, askToAddPair])
}

/**
 * Does at a change of screen or user as browsers do at a page load: the focus starts at the content, and a screen that the
 * user did not go back to starts at its top.
 * @param owner undefined until the user is known
 */
function useScreenChange(owner: OwnerId | undefined): void {
  const [path] = useLocation()
  const screenOf = useScreenOf()
  const screen = screenOf(path)
  const shown = useRef(screen)
  const shownTo = useRef(owner)
  const wentBack = useRef(false)

  const goBack = useEffectEvent(() => {
    // Within one screen, such as to the skip link's target, there is nothing to keep for the next change.
    wentBack.current = screenOf(location.pathname) !== shown.current
  })
  useEffect(() => {
    const onPopState = () => goBack()
    // Captured, to know before the router does: its listener renders the other screen at once.
    window.addEventListener('popstate', onPopState, { capture: true })
    return () => window.removeEventListener('popstate', onPopState, { capture: true })
  }, [])

  useEffect(() => {
    const known = shownTo.current
    shownTo.current = owner
    if (shown.current === screen && (known === undefined || known === owner)) return
    shown.current = screen
    // Going back, the browser restores the scroll position.
    if (!wentBack.current) window.scrollTo(0, 0)
    wentBack.current = false
    const main = document.getElementById(MAIN_ID)
    // A card that asked for the focus has it already.
    if (main !== null && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
  }, [screen, owner])
}
