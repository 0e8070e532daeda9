import { useStore } from 'jotai'
import { useEffect, useMemo, useReducer, useState } from 'react'
import type { Period } from '../../domain/period'
import { historyUpdatedAtom, pricesAtom } from '../../state/live-data'
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

/** One pair's chart: opened at once from what is stored, following every poll, fetched again when the network is back. */
export function useChart({ coinA, coinB }: PairIds, period: Period): ChartRun {
  const { commands, engine, worker } = useServices()
  const { now } = commands
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
    session.open(period)
    return () => session.close()
  }, [session, period])

  useEffect(() => {
    // Each write to either means that the chart has a new point, or a better past.
    const stops = [pricesAtom, historyUpdatedAtom].map((arrival) => store.sub(arrival, () => session.refresh()))
    return () => stops.forEach((stop) => stop())
  }, [session, store])

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
