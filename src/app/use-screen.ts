import { useAtomValue } from 'jotai'
import { hasListAtom } from '../state/dashboard-choice'
import { DESK, useMediaQuery } from '../ui/browser-state'
import { DASHBOARD, screenOf } from './addresses'

/** True while a chart stands beside the list instead of in place of the dashboard. */
export function useIsDesk(): boolean {
  const isWide = useMediaQuery(DESK)
  return useAtomValue(hasListAtom) && isWide
}

/** Tells of a path which screen it is. At a desk, the list and the chart beside it are one screen. */
export function useScreenOf(): (path: string) => string {
  const isDesk = useIsDesk()
  return (path) => (isDesk && path.startsWith('/chart/') ? DASHBOARD : screenOf(path))
}
