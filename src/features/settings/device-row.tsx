import { Bell, LogOut, Monitor, Smartphone } from 'lucide-react'
import type { Device } from '../../contract/device'
import { Badge } from '../../ui/badge'
import { BusyButton } from '../../ui/busy-button'
import { isHandheld, lastUsed, nameOf } from './device-words'
import styles from './devices-card.module.css'

interface DeviceRowProps {
  readonly device: Device
  /** Milliseconds. */
  readonly now: number
  /** It may be logged out now. */
  readonly free: boolean
  /** It is being logged out. */
  readonly ending: boolean
  readonly onEnd: () => void
}

/** One browser that is signed in; the one in use is logged out by the menu, like ever. */
export function DeviceRow({ device, now, free, ending, onEnd }: DeviceRowProps) {
  const Icon = isHandheld(device) ? Smartphone : Monitor
  return (
    <li className={styles.row}>
      <Icon aria-hidden="true" className={styles.icon} />
      <p className={styles.name}>
        {nameOf(device)} {device.is_current && <Badge tone="accent">This device</Badge>}
      </p>
      <p className={styles.facts}>
        {device.is_current ? 'In use now' : lastUsed(device, now)}
        {device.gets_push && (
          <span className={styles.push}>
            <Bell aria-hidden="true" /> Gets notifications
          </span>
        )}
      </p>
      {!device.is_current && (
        <BusyButton
          busy={ending}
          size="sm"
          className={styles.end}
          icon={<LogOut aria-hidden="true" />}
          aria-label={`Log out ${nameOf(device)}`}
          aria-haspopup="dialog"
          aria-disabled={!free || undefined}
          onClick={() => free && onEnd()}
        >
          Log out
        </BusyButton>
      )}
    </li>
  )
}
