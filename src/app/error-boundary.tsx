import { Component, type ReactNode } from 'react'
import { FullPageNotice, Notice } from './notice'
import { toError } from '../domain/error-message'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** Elements that still stand around the broken part. */
  readonly within: 'nothing' | 'shell'
}
interface State {
  readonly error: Error | null
}

/** The last resort when drawing fails: nothing is lost, since all truth is in the local database. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error: toError(error) }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const Place = this.props.within === 'shell' ? Notice : FullPageNotice
    return (
      <Place title="Something went wrong on this screen" detail={error.message}>
        Your pairs and changes are safe on this device. Reloading usually helps.
      </Place>
    )
  }
}
