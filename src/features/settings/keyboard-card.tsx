import { useDashboardChoice } from '../../state/use-dashboard-choice'
import { PageCard } from '../../ui/page'
import { Segmented } from '../../ui/segmented'
import styles from './settings-page.module.css'

const OPTIONS = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const

/** Takes the shortcuts of single keys away, which speech input and a shaking hand press by accident. */
export function KeyboardCard() {
  const [{ keys }, choose] = useDashboardChoice()
  return (
    <PageCard title="Keyboard">
      <div className={styles.row}>
        <p>Single keys as shortcuts on the dashboard</p>
        <Segmented
          label="Single keys as shortcuts"
          options={OPTIONS}
          value={keys ? 'on' : 'off'}
          onChange={(next) => choose({ keys: next === 'on' })}
        />
      </div>
    </PageCard>
  )
}
