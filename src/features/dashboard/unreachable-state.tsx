import { CloudOff } from 'lucide-react'
import { Button } from '../../ui/button'
import styles from './message-state.module.css'

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
