import { useEffect } from 'react'

const APP = 'Crypto Ratio Tracker'

/** What the tab and the history call the screen. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${APP}`
  }, [title])
}
