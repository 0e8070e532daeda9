import styles from './budget-meter.module.css'
import type { Budget } from './provider-budget'

const percent = (share: number) => `${Math.round(Math.min(1, share) * 100)}%`

/** How much of the month's calls is used, against a mark for how much of the month is gone. */
export function BudgetMeter({ budget: { used, gone } }: { readonly budget: Budget }) {
  const words = `${percent(used)} of the calls used, ${percent(gone)} of the month gone`
  return (
    <div className={styles.meter} role="img" aria-label={words} title={words}>
      <span className={styles.used} data-full={used >= 1} style={{ width: percent(used) }} />
      <span className={styles.gone} style={{ left: percent(gone) }} />
    </div>
  )
}
