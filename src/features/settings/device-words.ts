import type { Device } from '../../contract/device'
import { formatShortDateTime } from '../../ui/moment'

/** The name under which a device is shown. */
export const nameOf = ({ label }: Pick<Device, 'label'>): string => label ?? 'Unknown browser'

/** True for a device that is held in the hand, by the name of its system. */
export const isHandheld = ({ label }: Pick<Device, 'label'>): boolean => /\b(Android|iPhone|iPad)$/.test(label ?? '')

/** @param now milliseconds */
export const lastUsed = ({ last_seen_at }: Pick<Device, 'last_seen_at'>, now: number): string =>
  `Last used ${formatShortDateTime(Date.parse(last_seen_at), now)}`
