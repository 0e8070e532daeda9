import { type RefObject, useCallback, useEffect, useRef, useSyncExternalStore } from 'react'

const subscribeToNetwork = (changed: () => void) => {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** The browser's `navigator.onLine`; true does not promise that the server answers. */
export const useOnline = (): boolean => useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)

const subscribeToVisibility = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

export const usePageVisible = (): boolean =>
  useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible')

/** Room for navigation at the side, and for panels above the pairs. */
export const WIDE = '(min-width: 768px)'

/** A phone held sideways, or a desktop at 200 % zoom and more: no height for bars. */
export const LOW = '(max-height: 479.98px)'

/** Room for a whole sidebar, and for a chart beside a list. */
export const DESK = '(min-width: 1024px)'

/** True while a media query holds. */
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

/** True while the component is mounted: an answer may come later. */
export function useHere(): RefObject<boolean> {
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return here
}
