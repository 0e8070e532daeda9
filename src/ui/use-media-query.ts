import { useCallback, useSyncExternalStore } from 'react'

/** Room for navigation at the side, and for panels above the pairs. */
export const WIDE = '(min-width: 768px)'

/** A phone held sideways, or a desktop at 200 % zoom and more: no height for bars. */
export const LOW = '(max-height: 479.98px)'

/** Room for a whole sidebar, and for a chart beside a list. */
export const DESK = '(min-width: 1024px)'

/** Whether a media query holds now. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  const matches = () => matchMedia(query).matches
  return useSyncExternalStore(subscribe, matches, matches)
}
