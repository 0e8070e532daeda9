import { useSyncExternalStore } from 'react'
import { PageCard } from '../../ui/page'
import { Segmented } from '../../ui/segmented'
import { chooseTheme, followTheme, readThemeChoice } from './theme-choice'
import styles from './settings-page.module.css'

const OPTIONS = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function AppearanceCard() {
  const theme = useSyncExternalStore(followTheme, readThemeChoice)
  return (
    <PageCard title="Appearance">
      <div className={styles.row}>
        <p>Theme</p>
        <Segmented label="Theme" options={OPTIONS} value={theme} onChange={chooseTheme} />
      </div>
    </PageCard>
  )
}
