import { useAtomValue } from 'jotai'
import { nowAtom } from '../../state/live-data'
import type { ChartState } from './chart-machine'
import styles from './data-age.module.css'
import { staleness } from './staleness'

/** How old the data is, once that is late: beside the figure that it makes doubtful. */
export function DataAge({ state }: { readonly state: ChartState }) {
  const now = useAtomValue(nowAtom)
  const age = state.kind === 'ready' ? staleness(state.chart, state.fetch, now) : null
  return age !== null && <span className={styles['age']}>{age}</span>
}
