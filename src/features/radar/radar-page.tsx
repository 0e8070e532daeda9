import { useAtomValue, useStore } from 'jotai'
import { useDeferredValue, useLayoutEffect, useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { radarCoins } from '../../domain/tier-limits'
import { boardAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { useMediaQuery } from '../../ui/browser-state'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { keepRadar, radarAtom } from './radar-data'
import { ChanceLine } from './radar-chance'
import { RadarFilters, ViewSwitch } from './radar-filters'
import { RadarList } from './radar-list'
import { Matrix } from './matrix/matrix'
import { matrixOf } from './matrix/matrix-cells'
import { ClosesLine, EmptyList, HiddenLine, NoDataState, RadarSkeleton, ScopeNote, TierNote } from './radar-states'
import type { RadarMarket } from './radar-market'
import { type PairAddress, readQuery, type RadarQuery, writeQuery } from './radar-query'
import { radarRows } from './radar-rows'
import { pairsWords } from './radar-words'
import styles from './radar-page.module.css'

/** Room for the matrix beside the list. The style sheets have the same width. */
const BOTH = '(min-width: 1280px)'

interface RadarPageProps {
  readonly pairLink: PairAddress
}

/** All pairs of the coins that matter, the furthest from their average first. */
export function RadarPage({ pairLink }: RadarPageProps) {
  const board = useAtomValue(boardAtom)
  const data = useRadar()
  const ranked = board === undefined ? 0 : radarCoins(board.limits)
  const search = useSearch()
  const query = useMemo(() => readQuery(search, ranked), [search, ranked])
  const change = (next: RadarQuery) => {
    // Letters typed are no places to go back to.
    const replace = next.term !== query.term
    navigate(`/radar${writeQuery(next, ranked)}`, { replace })
  }
  const hasBoth = useMediaQuery(BOTH)
  const isReady = data?.kind === 'ready'
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>Radar</h1>
        {isReady && <ViewSwitch query={query} hasBoth={hasBoth} onChange={change} />}
        <p className={styles.lead}>Every pair of these coins, the furthest from its average first.</p>
      </header>
      {data?.kind === 'none' || data?.kind === 'failed' ? (
        <NoDataState data={data} />
      ) : (
        <>
          <RadarFilters query={query} ranked={ranked} disabled={!isReady} onChange={change} />
          {isReady ? (
            <RadarViews market={data.market} query={query} pairLink={pairLink} hasBoth={hasBoth} onChange={change} />
          ) : (
            <RadarSkeleton hasBoth={hasBoth} />
          )}
        </>
      )}
    </div>
  )
}

/** The newest answer for the current user; undefined until there is one. */
function useRadar() {
  const store = useStore()
  const services = useServices()
  const data = useAtomValue(radarAtom)
  const owner = useAtomValue(boardAtom)?.owner
  // Before the first paint of the screen: the worker computes meanwhile.
  useLayoutEffect(() => keepRadar(store, services), [store, services])
  return data?.owner === owner ? data : undefined
}

interface RadarViewsProps extends RadarPageProps {
  readonly market: RadarMarket
  readonly query: RadarQuery
  readonly hasBoth: boolean
  readonly onChange: (query: RadarQuery) => void
}

function RadarViews({ market, query: asked, pairLink, hasBoth, onChange }: RadarViewsProps) {
  // Typing is never behind the list.
  const query = useDeferredValue(asked)
  const rows = useMemo(() => radarRows(market, query), [market, query])
  const hasList = query.view === 'list'
  const hasMatrix = hasBoth || !hasList
  const cells = useMemo(
    () => (hasMatrix ? matrixOf(market, rows, query.window) : null),
    [market, rows, query.window, hasMatrix],
  )
  return (
    <>
      <div className={styles.notes}>
        <ClosesLine market={market} count={rows.length} window={query.window} />
        <HiddenLine market={market} query={query} onChange={onChange} />
        <ChanceLine market={market} rows={rows} window={query.window} />
        <ScopeNote query={query} />
        <VisuallyHidden role="status">{pairsWords(rows.length)}</VisuallyHidden>
      </div>
      {rows.length === 0 ? (
        <EmptyList market={market} query={query} onChange={onChange} />
      ) : (
        <div className={styles.desk} data-both={(hasList && hasMatrix) || undefined}>
          {hasList && <RadarList market={market} rows={rows} query={query} pairLink={pairLink} />}
          {cells !== null && <Matrix market={market} cells={cells} window={query.window} pairLink={pairLink} />}
        </div>
      )}
      <TierNote />
    </>
  )
}
