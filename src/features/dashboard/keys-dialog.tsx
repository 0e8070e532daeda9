import { Dialog } from '../../ui/dialog'
import { useDashboardChoice } from '../../state/use-dashboard-choice'
import styles from './keys-dialog.module.css'

const KEYS = [
  { key: 'J', effect: 'Next pair; in the list its chart follows' },
  { key: 'K', effect: 'Previous pair' },
  { key: 'Enter', effect: 'Open the pair’s chart' },
  { key: 'Esc', effect: 'Close the chart beside the list' },
  { key: '/', effect: 'Search the list' },
  { key: 'R', effect: 'Have a screen reader say all ratios' },
  { key: 'N', effect: 'Create a new pair' },
  { key: '?', effect: 'Show these keys' },
] as const

/** The keys of the dashboard, and the switch for those that are single characters (WCAG 2.1.4). */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [{ keys: on }, choose] = useDashboardChoice()
  return (
    <Dialog title="Keyboard shortcuts" size="sm" onClose={onClose}>
      <dl className={styles.keys} data-on={on}>
        {KEYS.map(({ key, effect }) => (
          <div key={key} className={styles.row}>
            <dt>
              <kbd className={styles.key}>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.switch}>
        <input type="checkbox" checked={on} onChange={(event) => choose({ keys: event.currentTarget.checked })} />
        Use single keys as shortcuts on this device
      </label>
    </Dialog>
  )
}
