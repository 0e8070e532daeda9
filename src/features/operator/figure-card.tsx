import { useId } from 'react'
import { Facts } from '../../ui/facts'
import text from '../../ui/text.module.css'
import styles from './figure-card.module.css'
import type { Budget, FigureGroup } from './server-groups'

/** One subject: the figure that is looked at first, large, and the others below it. */
export function FigureCard({ group: { title, main, facts, budget } }: { readonly group: FigureGroup }) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h3 id={id} className={text.quiet}>
        {title}
      </h3>
      <dl className={styles.main}>
        <dt className={text.quiet}>{main.name}</dt>
        <dd className={styles.value}>{main.value}</dd>
      </dl>
      <Facts dense facts={facts} />
      {budget !== undefined && <BudgetMeter budget={budget} />}
    </section>
  )
}

const percent = (share: number) => `${Math.round(Math.min(1, share) * 100)}%`

/** How much of the month's calls is used, against a mark for how much of the month is gone. */
function BudgetMeter({ budget: { used, gone } }: { readonly budget: Budget }) {
  const words = `${percent(used)} of the calls used, ${percent(gone)} of the month gone`
  return (
    <div className={styles.meter} role="img" aria-label={words} title={words}>
      <span className={styles.used} data-full={used >= 1} style={{ width: percent(used) }} />
      <span className={styles.gone} style={{ left: percent(gone) }} />
    </div>
  )
}
