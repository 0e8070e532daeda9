import type { ReactNode } from 'react'
import { useFeeds } from '../features/dashboard/use-feeds'
import { useTitle } from './use-title'

interface ScreenProps {
  /** Of the document; absent where the screen knows better. */
  readonly title?: string
  readonly children: ReactNode
}

export function Screen({ title, children }: ScreenProps) {
  useTitle(title)
  return children
}

/** A screen beside the dashboard: the live queries go on, since the shell around it tells what waits. */
export function FedScreen({ title, children }: ScreenProps) {
  useFeeds()
  useTitle(title)
  return children
}
