import { BellOff, BellRing, type LucideIcon, Smartphone } from 'lucide-react'
import type { PushClient, PushState } from '../../state/push'
import { PUSH_BLOCKED, PUSH_UNSUPPORTED } from '../../state/push-words'

interface Switch {
  readonly asks: keyof PushClient
  readonly word: string
  /** While it is being done. */
  readonly doing: string
}

interface Look {
  readonly icon: LucideIcon
  readonly title: string
  /** What that means, and what can be done about it. */
  readonly text: string
  /** Null: the app can do nothing about it. */
  readonly action: Switch | null
}

/** What the card about this device's notifications says. */
export const NOTIFICATIONS: Readonly<Record<PushState, Look>> = {
  on: {
    icon: BellRing,
    title: 'On',
    text: 'This device is told when a ratio crosses a threshold, also while the app is closed.',
    action: { asks: 'disable', word: 'Disable', doing: 'Disabling…' },
  },
  off: {
    icon: BellOff,
    title: 'Off',
    text: 'Be told when a ratio crosses a threshold, also while the app is closed.',
    action: { asks: 'enable', word: 'Enable on this device', doing: 'Enabling…' },
  },
  blocked: {
    icon: BellOff,
    title: 'Blocked',
    text: `${PUSH_BLOCKED} Look behind the icon beside the address; for an installed app, in the device’s own settings.`,
    action: null,
  },
  unsupported: {
    icon: BellOff,
    title: 'Not available',
    text: `${PUSH_UNSUPPORTED} While the app is before you, crossings are shown all the same.`,
    action: null,
  },
  'needs-home-screen': {
    icon: Smartphone,
    title: 'Not yet',
    text: 'On iPhone and iPad, only an app on the home screen can be told of crossings while it is closed.',
    // Which is where it is explained.
    action: { asks: 'enable', word: 'Show how', doing: 'Show how' },
  },
}
