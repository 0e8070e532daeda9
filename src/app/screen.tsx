import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect } from 'react'
import { Route } from 'wouter'
import { hasListAtom } from '../state/dashboard-choice'
import { startFeedsAtom } from '../state/live-data'
import { DESK, useMediaQuery } from '../ui/browser-state'
import { DASHBOARD, screenOf } from './addresses'

interface ScreenProps {
  /** Of the document; absent if the screen names the document itself. */
  readonly title?: string | undefined
  readonly children: ReactNode
}

/** A screen inside the shell. Each runs the live feeds: the shell around it lists waiting changes. */
export function Screen({ title, children }: ScreenProps) {
  useLiveFeeds()
  useTitle(title)
  return children
}

/** A screen at an address; without a path, at all others. */
export const ScreenRoute = ({ title, children, ...route }: ScreenProps & { readonly path?: string }) => (
  <Route {...route}>
    <Screen title={title}>{children}</Screen>
  </Route>
)

/** Runs the live queries while the component is mounted. */
export function useLiveFeeds(): void {
  const feeds = useAtomValue(startFeedsAtom)
  useEffect(() => feeds?.start(), [feeds])
}

const APP = 'Crypto Ratio Tracker'

/** Title of the screen in the tab and the browser's history. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${APP}`
  }, [title])
}

/** True while a chart stands beside the list instead of in place of the dashboard. */
export function useIsDesk(): boolean {
  const isWide = useMediaQuery(DESK)
  return useAtomValue(hasListAtom) && isWide
}

/** Maps a path to its screen. At a desk, the list and the chart beside it are one screen. */
export function useScreenOf(): (path: string) => string {
  const isDesk = useIsDesk()
  return (path) => (isDesk && path.startsWith('/chart/') ? DASHBOARD : screenOf(path))
}
