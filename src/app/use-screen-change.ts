import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import type { OwnerId } from '../domain/ids'
import { MAIN_ID } from '../features/shell/shell'
import { useScreenOf } from './use-screen'

/**
 * What a page load does by itself and a change of screen, or of the person who looks at it, does not: focus starts at the
 * content, and a screen that was not gone back to starts at its top.
 * @param owner who uses the app; undefined while that is not known
 */
export function useScreenChange(owner: OwnerId | undefined): void {
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
