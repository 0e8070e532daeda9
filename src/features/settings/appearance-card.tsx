import { useState } from 'react'
import { PageCard } from '../../ui/page'
import { Segmented } from '../../ui/segmented'
import { chooseTheme, readThemeChoice, type ThemeChoice } from './theme-choice'
import styles from './settings-page.module.css'

const OPTIONS = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function AppearanceCard() {
  const [theme, setTheme] = useState(readThemeChoice)
  const choose = (next: ThemeChoice) => {
    chooseTheme(next)
    setTheme(next)
  }
  return (
    <PageCard title="Appearance">
      <div className={styles.row}>
        <p>Theme</p>
        <Segmented label="Theme" options={OPTIONS} value={theme} onChange={choose} />
      </div>
    </PageCard>
  )
}
