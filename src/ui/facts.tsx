import type { ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './facts.module.css'

export interface Fact {
  readonly name: string
  readonly value: ReactNode
}

interface FactsProps {
  readonly facts: readonly Fact[]
  /** Small and close together, where many are looked over at once. */
  readonly dense?: boolean
}

/** Names and values, one fact a line; a value that has no room beside its name goes below it as a whole. */
export const Facts = ({ facts, dense = false }: FactsProps) => (
  <dl className={classNames(styles.facts, dense && styles.dense)}>
    {facts.map(({ name, value }) => (
      <div key={name} className={styles.fact}>
        <dt className={styles.name}>{name}</dt>
        <dd className={styles.value}>{value}</dd>
      </div>
    ))}
  </dl>
)
