import { ArrowLeftRight, CloudOff } from 'lucide-react'
import { Button } from '../../ui/button'
import styles from './message-state.module.css'
import { ReadyPairs } from './ready-pairs'

/** A board that is known to be empty. */
export function EmptyState({ onAdd }: { readonly onAdd: () => void }) {
  return (
    <section className={styles.state} aria-labelledby="welcome">
      <ArrowLeftRight aria-hidden="true" className={styles.icon} />
      <h1 id="welcome" className={styles.title}>
        Welcome! Compare any two coins.
      </h1>
      <p>You haven't added any crypto pairs yet.</p>
      <p className={styles.hint}>
        Pick two coins and see what one is worth in the other, live, with its history behind it.
      </p>
      <Button variant="primary" onClick={onAdd}>
        + Add Your First Pair
      </Button>
      <ReadyPairs />
    </section>
  )
}

interface UnreachableStateProps {
  readonly title: string
  readonly text: string
  readonly onRetry: () => void
}

/** Nothing can be shown yet, and why. */
export function UnreachableState({ title, text, onRetry }: UnreachableStateProps) {
  return (
    <section className={styles.state} aria-labelledby="unreachable">
      <CloudOff aria-hidden="true" className={styles.icon} />
      <h1 id="unreachable" className={styles.title}>
        {title}
      </h1>
      <p className={styles.hint}>{text}</p>
      <Button onClick={onRetry}>Try again</Button>
    </section>
  )
}
