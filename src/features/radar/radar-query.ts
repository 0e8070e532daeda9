import type { CoinId } from '../../domain/ids'
import { STATISTIC_WINDOWS, type StatisticWindow } from '../../domain/pair-statistics'

/** The coins whose pairs are listed: the user's, or so many of the best by market cap. */
export const SCOPES = ['coins', 'pairs', 'top20', 'top50', 'top100'] as const
export type Scope = (typeof SCOPES)[number]

/** Coins by market cap of a scope; null: the user's own. */
export const RANKED_IN: Readonly<Record<Scope, number | null>> = {
  coins: null,
  pairs: null,
  top20: 20,
  top50: 50,
  top100: 100,
}

export const RADAR_ORDERS = ['z', 'percentile', 'correlation', 'name'] as const
export type RadarOrder = (typeof RADAR_ORDERS)[number]

/** Least correlations that the user can ask for; 0: any. */
export const CORRELATIONS = [0, 0.3, 0.5, 0.7, 0.9] as const
type LeastCorrelation = (typeof CORRELATIONS)[number]

export interface RadarQuery {
  readonly scope: Scope
  readonly window: StatisticWindow
  readonly order: RadarOrder
  readonly correlation: LeastCorrelation
  /** Pegged pairs are listed, and each coin of one money. */
  readonly pegged: boolean
  /** Words to be found in symbols and names. */
  readonly term: string
  /** `matrix`: over the whole width; `list`: with the matrix beside it where there is room. */
  readonly view: 'list' | 'matrix'
}

/** The smallest scope that has all of a tier's coins by market cap. @param ranked so many the tier has */
export const widestScope = (ranked: number): Scope => (ranked <= 20 ? 'top20' : ranked <= 50 ? 'top50' : 'top100')

const DEFAULTS: Omit<RadarQuery, 'scope'> = {
  window: 90,
  order: 'z',
  correlation: 0,
  pegged: false,
  term: '',
  view: 'list',
}

const oneOf = <T extends string | number>(known: readonly T[], value: string | null): T | undefined =>
  known.find((one) => String(one) === value)

/** Address of a pair's sheet, with the state that the browser's history keeps. */
export type PairAddress = (coinA: CoinId, coinB: CoinId) => { readonly href: string; readonly state: unknown }

/** The choices that an address names; what it does not name, or misspells, is the default. */
export function readQuery(search: string, ranked: number): RadarQuery {
  const read = new URLSearchParams(search)
  return {
    scope: oneOf(SCOPES, read.get('scope')) ?? widestScope(ranked),
    window: oneOf(STATISTIC_WINDOWS, read.get('window')) ?? DEFAULTS.window,
    order: oneOf(RADAR_ORDERS, read.get('sort')) ?? DEFAULTS.order,
    correlation: oneOf(CORRELATIONS, read.get('correlation')) ?? DEFAULTS.correlation,
    pegged: read.get('pegged') === 'shown',
    term: read.get('q') ?? '',
    view: read.get('view') === 'matrix' ? 'matrix' : 'list',
  }
}

/** The address's part after "/radar", "" where every choice is the default. */
export function writeQuery(query: RadarQuery, ranked: number): string {
  const { scope, window, order, correlation, pegged, term, view } = query
  const write = new URLSearchParams()
  if (scope !== widestScope(ranked)) write.set('scope', scope)
  if (window !== DEFAULTS.window) write.set('window', String(window))
  if (order !== DEFAULTS.order) write.set('sort', order)
  if (correlation > 0) write.set('correlation', String(correlation))
  if (pegged) write.set('pegged', 'shown')
  if (term !== '') write.set('q', term)
  if (view === 'matrix') write.set('view', view)
  const text = write.toString()
  return text === '' ? '' : `?${text}`
}
