import { useId } from 'react'
import { Facts } from '../../ui/facts'
import { BudgetMeter } from './budget-meter'
import styles from './figure-card.module.css'
import type { FigureGroup } from './server-groups'

/** One subject: the figure that is looked at first, large, and the others below it. */
export function FigureCard({ group: { title, main, facts, budget } }: { readonly group: FigureGroup }) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {title}
      </h3>
      <dl className={styles.main}>
        <dt className={styles.name}>{main.name}</dt>
        <dd className={styles.value}>{main.value}</dd>
      </dl>
      <Facts dense facts={facts} />
      {budget !== undefined && <BudgetMeter budget={budget} />}
    </section>
  )
}
