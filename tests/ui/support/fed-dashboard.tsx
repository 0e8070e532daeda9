import type { ComponentProps } from 'react'
import { useLiveFeeds } from '../../../src/app/screen'
import { Dashboard } from '../../../src/features/dashboard/dashboard'

/** The dashboard with its live feeds, as src/app/screen.tsx runs them around it. */
export function FedDashboard(props: ComponentProps<typeof Dashboard>) {
  useLiveFeeds()
  return <Dashboard {...props} />
}
