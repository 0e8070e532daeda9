import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { STATISTIC_WINDOWS } from '../../domain/pair-statistics'
import { Segmented } from '../../ui/segmented'
import styles from './radar-filters.module.css'
import {
  CORRELATIONS,
  RADAR_ORDERS,
  type RadarOrder,
  type RadarQuery,
  RANKED_IN,
  type Scope,
  SCOPES,
} from './radar-query'
import { WINDOW_WORDS } from './radar-words'

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  coins: 'My coins',
  pairs: 'My pairs',
  top20: 'Top 20 coins',
  top50: 'Top 50 coins',
  top100: 'Top 100 coins',
}

const ORDER_WORDS: Readonly<Record<RadarOrder, string>> = {
  z: 'By distance',
  percentile: 'By percentile',
  correlation: 'By correlation',
  name: 'By name',
}

interface QueryProps {
  readonly query: RadarQuery
  readonly onChange: (query: RadarQuery) => void
}

interface ViewSwitchProps extends QueryProps {
  /** There is room for the matrix beside the list. */
  readonly hasBoth: boolean
}

/** The list, with the matrix where there is room for both, or the matrix over the whole width. */
export const ViewSwitch = ({ query, hasBoth, onChange }: ViewSwitchProps) => (
  <Segmented
    label="View"
    options={[
      { value: 'list', label: hasBoth ? 'List and matrix' : 'List' },
      { value: 'matrix', label: query.view === 'matrix' ? 'Matrix' : 'Open matrix' },
    ]}
    value={query.view}
    onChange={(view) => onChange({ ...query, view })}
  />
)

interface RadarFiltersProps extends QueryProps {
  /** Coins by market cap that the tier has. */
  readonly ranked: number
  readonly disabled: boolean
}

/** Every choice of the list; all of them stand in the address. */
export function RadarFilters({ query, ranked, disabled, onChange }: RadarFiltersProps) {
  const set = (change: Partial<RadarQuery>) => onChange({ ...query, ...change })
  return (
    <div className={styles.filters} inert={disabled}>
      <label className={styles.search}>
        <Search aria-hidden="true" />
        <input
          type="search"
          aria-label="Search coins"
          placeholder="Search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={query.term}
          onChange={(event) => set({ term: event.currentTarget.value })}
          onKeyDown={(event) => event.key === 'Escape' && set({ term: '' })}
        />
      </label>
      <Choice label="Coins" value={query.scope} onChange={(scope) => set({ scope: scope as Scope })}>
        {SCOPES.map((scope) => (
          <option key={scope} value={scope}>
            {SCOPE_WORDS[scope]}
            {(RANKED_IN[scope] ?? 0) > ranked && ' (Premium)'}
          </option>
        ))}
      </Choice>
      <Choice label="Order" value={query.order} onChange={(order) => set({ order: order as RadarOrder })}>
        {RADAR_ORDERS.map((order) => (
          <option key={order} value={order}>
            {ORDER_WORDS[order]}
          </option>
        ))}
      </Choice>
      <Choice
        label="Correlation"
        value={String(query.correlation)}
        onChange={(value) => set({ correlation: CORRELATIONS.find((least) => String(least) === value) ?? 0 })}
      >
        {CORRELATIONS.map((least) => (
          <option key={least} value={least}>
            {least === 0 ? 'Any correlation' : `Correlation ${least.toFixed(1)} or more`}
          </option>
        ))}
      </Choice>
      <Segmented
        label="Window"
        className={styles.windows}
        options={STATISTIC_WINDOWS.map((window) => ({ value: String(window), label: WINDOW_WORDS[window] }))}
        value={String(query.window)}
        onChange={(value) => set({ window: STATISTIC_WINDOWS.find((window) => String(window) === value) ?? 90 })}
      />
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly children: ReactNode
}

const Choice = ({ label, value, onChange, children }: ChoiceProps) => (
  <label className={styles.choice}>
    <span className={styles.label}>{label}</span>
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {children}
    </select>
  </label>
)
