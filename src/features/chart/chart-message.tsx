import { Button } from '../../ui/button'
import { loadingStage, type ChartState } from './chart-machine'
import styles from './chart-message.module.css'
import { useFetchWords } from './fetch-words'

const LOADING = {
  processing: 'Processing chart data...',
  fetching: 'Loading historical data for chart...',
} as const

interface ChartMessageProps {
  readonly state: Exclude<ChartState, { kind: 'ready' }>
  readonly onRetry: () => void
}

/** What stands in the chart's frame while there is no chart. */
export function ChartMessage({ state, onRetry }: ChartMessageProps) {
  switch (state.kind) {
    case 'loading':
      return (
        <p className={styles['loading']} role="status">
          {LOADING[loadingStage(state)]}
        </p>
      )
    case 'empty':
      return (
        <div className={styles['message']} role="status">
          <p className={styles['words']}>No ratio data available to display for this period</p>
          <Failure state={state} />
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )
    case 'error':
      return (
        <div className={styles['message']} role="alert">
          <p className={styles['words']}>{state.message}</p>
          <Failure state={state} />
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )
  }
}

/** Why the server could not help. */
function Failure({ state: { fetch } }: Pick<ChartMessageProps, 'state'>) {
  const words = useFetchWords(fetch.kind === 'ended' ? fetch.failure : null)
  return words === null ? null : <p className={styles['cause']}>{words}</p>
}
