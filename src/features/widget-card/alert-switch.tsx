import { Bell, BellOff } from 'lucide-react'
import styles from './alert-switch.module.css'

/** Whether the pair's thresholds are watched. */
export function AlertSwitch({ on, onSwitch }: { readonly on: boolean; readonly onSwitch: (on: boolean) => void }) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label="Alerts"
      title={on ? 'Alerts are on' : 'Alerts are off'}
      className={styles.switch}
      onClick={() => onSwitch(!on)}
    >
      <span className={styles.thumb}>{on ? <Bell aria-hidden="true" /> : <BellOff aria-hidden="true" />}</span>
    </button>
  )
}
