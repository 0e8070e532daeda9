import type { ComponentProps, ReactNode } from 'react'
import { useLiveFeeds } from '../../../src/app/screen'
import { Dashboard } from '../../../src/features/dashboard/dashboard'
import { WidgetCard } from '../../../src/features/widget-card/widget-card'

/** A part of the screen with the live feeds that src/app/screen.tsx runs around it. */
function Fed({ children }: { readonly children: ReactNode }) {
  useLiveFeeds()
  return children
}

export const fed = (part: ReactNode) => <Fed>{part}</Fed>

/** The dashboard with its live feeds. */
export const FedDashboard = (props: Partial<ComponentProps<typeof Dashboard>>) =>
  fed(<Dashboard Card={WidgetCard} onOpenChart={() => undefined} {...props} />)
