import { Activity, Bell, LayoutDashboard, Settings, type LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import { deferredComponent } from '../../ui/deferred-component'

const UnseenAlerts = deferredComponent(async () => (await import('./unseen-alerts')).UnseenAlerts)

export interface Destination {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** Also in the bottom bar of a phone, which has room for few. */
  readonly inTabBar: boolean
  /** Count of new things there; `id` is that of the element that shows it. */
  readonly News?: ComponentType<{ readonly id: string }>
}

/** Every screen of its own, in the order of the navigation. */
export const DESTINATIONS: readonly Destination[] = [
  { path: '/', label: 'Dashboard', icon: LayoutDashboard, inTabBar: true },
  { path: '/alerts', label: 'Alerts', icon: Bell, inTabBar: true, News: UnseenAlerts },
  { path: '/status', label: 'Status', icon: Activity, inTabBar: true },
  { path: '/settings', label: 'Settings', icon: Settings, inTabBar: false },
]

/** Addresses below an entry belong to it, and a chart to the dashboard: that entry stays marked. */
export const isCurrent = (path: string, location: string): boolean =>
  path === '/'
    ? location === '/' || location.startsWith('/chart/')
    : location === path || location.startsWith(`${path}/`)
