import { Component, type ReactNode } from 'react'
import { toError } from '../domain/error-message'
import { Button } from '../ui/button'
import text from '../ui/text.module.css'
import styles from './error-boundary.module.css'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** Elements that still stand around the broken part. */
  readonly within: 'nothing' | 'shell'
}

/** The last resort when drawing fails: nothing is lost, since all truth is in the local database. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | null }> {
  override state = { error: null as Error | null }

  static getDerivedStateFromError(error: unknown) {
    return { error: toError(error) }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const Place = this.props.within === 'shell' ? FailureCard : FailurePage
    return (
      <Place title="Something went wrong on this screen" detail={error.message}>
        Your pairs and changes are safe on this device. Reloading usually helps.
      </Place>
    )
  }
}

interface FailureProps {
  readonly title: string
  readonly children: ReactNode
  /** Technical words for the person whom the user asks for help. */
  readonly detail?: string
  readonly action?: string
}

const FailureCard = ({ title, children, detail, action = 'Reload' }: FailureProps) => (
  <div className={styles.card} role="alert">
    <h1 className={styles.title}>{title}</h1>
    <div className={text.muted}>{children}</div>
    {detail !== undefined && <code className={styles.detail}>{detail}</code>}
    <Button variant="primary" onClick={() => location.reload()}>
      {action}
    </Button>
  </div>
)

/** Takes the place of the whole app when it cannot run. */
export const FailurePage = (props: FailureProps) => (
  <main className={styles.page}>
    <FailureCard {...props} />
  </main>
)
