import { useStore } from 'jotai'
import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'react'
import { followHistory } from '../../db/queries/history-writes'
import { livePrices } from '../../domain/live-prices'
import type { Period } from '../../domain/period'
import { pricesAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import type { PairIds } from '../../../workers/api'
import { initialChart, reduceChart, type ChartState } from './chart-machine'
import { chartSession } from './chart-session'

export interface ChartRun {
  readonly state: ChartState
  /** Asks the server again. */
  readonly refetch: () => void
}

const counter = () => {
  let number = 0
  return () => (number += 1)
}

/**
 * One pair's chart: opened at once from what is stored, its last point following every poll, computed again when its
 * history has changed, fetched again when the network is back.
 */
export function useChart({ coinA, coinB }: PairIds, period: Period): ChartRun {
  const { commands, engine, worker } = useServices()
  const { db, now } = commands
  const store = useStore()
  const [state, dispatch] = useReducer(reduceChart, period, initialChart)
  const [nextNumber] = useState(counter)

  const session = useMemo(
    () =>
      chartSession(
        {
          chart: (request) => worker().chart(request),
          requestHistory: (coin, wanted) => engine.requestHistory(coin, wanted),
          now,
          nextNumber,
        },
        { coinA, coinB },
        dispatch,
      ),
    [coinA, coinB, engine, worker, now, nextNumber],
  )

  useEffect(() => {
    const follow = () => {
      const row = store.get(pricesAtom)
      session.follow(row === undefined ? null : livePrices(row.prices[coinA], row.prices[coinB], row.source))
    }
    follow()
    return store.sub(pricesAtom, follow)
  }, [session, store, coinA, coinB])

  useEffect(() => {
    const history = followHistory(db, [coinA, coinB], () => session.refresh())
    return () => history.unsubscribe()
  }, [session, db, coinA, coinB])

  // Before the frame: after it, the worker would be asked a frame later, and the chart stand one later.
  useLayoutEffect(() => {
    session.open(period)
    return () => session.close()
  }, [session, period])

  useEffect(() => {
    const back = () => {
      if (document.visibilityState === 'visible') session.refetch()
    }
    window.addEventListener('online', back)
    document.addEventListener('visibilitychange', back)
    return () => {
      window.removeEventListener('online', back)
      document.removeEventListener('visibilitychange', back)
    }
  }, [session])

  return { state, refetch: () => session.refetch() }
}
