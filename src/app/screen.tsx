import { type ReactNode, useEffect } from 'react'
import { useLiveFeeds } from './live-feeds'

interface ScreenProps {
  /** Of the document; absent where the screen knows better. */
  readonly title?: string
  readonly children: ReactNode
}

/** A screen inside the shell. Each runs the live feeds: the shell around it lists waiting changes. */
export function Screen({ title, children }: ScreenProps) {
  useLiveFeeds()
  useTitle(title)
  return children
}

const APP = 'Crypto Ratio Tracker'

/** Title of the screen in the tab and the browser's history. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${APP}`
  }, [title])
}
