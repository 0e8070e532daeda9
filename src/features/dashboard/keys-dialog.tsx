import { Dialog } from '../../ui/dialog'
import { useDashboardChoice } from '../../state/use-dashboard-choice'
import styles from './keys-dialog.module.css'

const KEYS = [
  { keys: ['J'], what: 'Next pair; in the list its chart follows' },
  { keys: ['K'], what: 'Previous pair' },
  { keys: ['Enter'], what: 'Open the pair’s chart' },
  { keys: ['Esc'], what: 'Close the chart beside the list' },
  { keys: ['/'], what: 'Search the list' },
  { keys: ['N'], what: 'Create a new pair' },
  { keys: ['?'], what: 'Show these keys' },
] as const

/** The keys of the dashboard, and the switch for those that are single characters (WCAG 2.1.4). */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [{ keys: on }, choose] = useDashboardChoice()
  return (
    <Dialog title="Keyboard shortcuts" size="sm" onClose={onClose}>
      <dl className={styles.keys} data-on={on}>
        {KEYS.map(({ keys, what }) => (
          <div key={what} className={styles.row}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
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
