import { useAtomValue } from 'jotai'
import type { MarketSource } from '../../contract/market'
import type { Config } from '../../contract/settings'
import { pricesAtom } from '../../state/live-data'
import { Badge } from '../../ui/badge'
import type { ChartState } from './chart-machine'
import styles from './data-note.module.css'
import { formatDate } from './moments'
import { shortSince } from './staleness'

interface DataNoteProps {
  readonly state: ChartState
  /** Undefined before it has been loaded once. */
  readonly config: Config | undefined
  /** Asks the server again. */
  readonly onRetry: () => void
}

/** Beside the data: whose it is, how far back it reaches, and why no further. */
export function DataNote({ state, config, onRetry }: DataNoteProps) {
  const source = useAtomValue(pricesAtom)?.source
  const chart = state.kind === 'ready' ? state.chart : null
  // Where the data is whole, what could not be fetched again takes nothing away.
  const failure = state.fetch.kind === 'ended' ? state.fetch.failure : null
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
      <span className={styles['credit']}>
        <Credit config={config} source={source} />
      </span>
    </div>
  )
}

interface CreditProps {
  readonly config: Config | undefined
  /** Of the prices that are stored, where the settings are not known yet. */
  readonly source: MarketSource | undefined
}

function Credit({ config, source }: CreditProps) {
  if ((config?.market_data.source ?? source) === 'simulated') return <Badge tone="warn">Simulated prices</Badge>
  if (config === undefined) return null
  const { text, url } = config.market_data.attribution
  if (url === null) return <span>{text}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}
