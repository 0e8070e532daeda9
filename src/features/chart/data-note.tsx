import { useAtomValue } from 'jotai'
import type { Config } from '../../contract/settings'
import { pricesAtom } from '../../state/live-data'
import { Badge } from '../../ui/badge'
import type { ChartState } from './chart-machine'
import styles from './data-note.module.css'
import { useFetchWords } from './fetch-words'
import { formatDate } from './moments'
import { shortSince } from './staleness'

interface DataNoteProps {
  readonly state: ChartState
  /** Undefined before it has been loaded once. */
  readonly config: Config | undefined
  /** Asks the server again. */
  readonly onRetry: () => void
}

/** Beside the data: how far back it reaches, why no further, and that it is simulated; the footer credits the provider. */
export function DataNote({ state, config, onRetry }: DataNoteProps) {
  const source = useAtomValue(pricesAtom)?.source
  const chart = state.kind === 'ready' ? state.chart : null
  // Where the data is whole, what could not be fetched again takes nothing away.
  const failure = useFetchWords(state.fetch.kind === 'ended' ? state.fetch.failure : null)
  const since = chart === null ? null : shortSince(chart)
  return (
    <div className={styles['note']}>
      {since !== null && failure !== null && (
        <span className={styles['failure']}>
          {failure}{' '}
          <button type="button" className={styles['retry']} onClick={onRetry}>
            Try again
          </button>
        </span>
      )}
      {since !== null && <span>Prices reach back to {formatDate(since)}</span>}
      {(config?.market_data.source ?? source) === 'simulated' && <Badge tone="warn">Simulated prices</Badge>}
    </div>
  )
}
