import type { ReactNode } from 'react'
import styles from './facts.module.css'

export interface Fact {
  readonly name: string
  readonly value: ReactNode
}

/** Names and values, one fact a line; a value that has no room beside its name goes below it as a whole. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} className={styles.fact}>
          <dt className={styles.name}>{name}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
