import { liveQuery } from 'dexie'
import { useEffect, useMemo, useReducer, useState } from 'react'
import type { LocalDatabase } from '../../db/database'
import { readHistoryUpdated } from '../../db/queries/history'
import { readPrices } from '../../db/queries/prices'
import type { Period } from '../../domain/period'
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

/** When prices or history last came; a change means that a chart can be computed anew. */
const readArrivals = (db: LocalDatabase) =>
  Promise.all([readPrices(db).then((prices) => prices?.polled_at), readHistoryUpdated(db)])

/** One pair's chart: opened at once from what is stored, following every poll, fetched again when the network is back. */
export function useChart({ coinA, coinB }: PairIds, period: Period): ChartRun {
  const { commands, engine, worker } = useServices()
  const { db, now } = commands
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
    session.open(period)
    return () => session.close()
  }, [session, period])

  useEffect(() => {
    const arrivals = liveQuery(() => readArrivals(db)).subscribe({ next: () => session.refresh(), error: reportError })
    return () => arrivals.unsubscribe()
  }, [session, db])

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
