import { useStore } from 'jotai'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { PairIds } from '../../../workers/api'
import { followHistory } from '../../db/history-rows'
import { livePricesOf } from '../../domain/live-prices'
import type { Period } from '../../domain/chart-periods'
import { isEqual } from '../../state/keep-identity'
import { pricesAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { chartMachine, type ChartSession, openChart } from './chart-session'
import type { ChartState } from './chart-state'

export interface ChartRun {
  readonly state: ChartState
  /** Asks the server again. */
  readonly refetch: () => void
}

/**
 * One pair's chart: opened at once from what is stored, computed again when its prices or its history have changed,
 * fetched again when the network is back.
 */
export function useChart({ coinA, coinB }: PairIds, period: Period): ChartRun {
  const { commands, engine, worker } = useServices()
  const { db, now } = commands
  const store = useStore()
  const [machine] = useState(() => chartMachine(period))
  const state = useSyncExternalStore(machine.subscribe, machine.state)
  const session = useRef<ChartSession>(null)

  // Before the frame: after it, the worker would be asked a frame later, and the chart stand one later.
  useLayoutEffect(() => {
    const live = () => livePricesOf(store.get(pricesAtom), coinA, coinB)
    // The worker reads what is stored, which is these prices or newer ones.
    let known = live()
    const opened = openChart(
      {
        chart: (request) => worker().chart(request),
        requestHistory: (coin, wanted) => engine.call('historical', { id: coin, period: wanted }),
        now,
      },
      { coinA, coinB },
      period,
      machine,
    )
    session.current = opened
    const unfollow = store.sub(pricesAtom, () => {
      const next = live()
      if (isEqual(next, known)) return
      known = next
      opened.follow()
    })
    return () => {
      unfollow()
      opened.close()
    }
  }, [coinA, coinB, period, machine, store, engine, worker, now])

  useEffect(() => {
    const history = followHistory(db, [coinA, coinB], () => session.current?.refresh())
    return () => history.unsubscribe()
  }, [db, coinA, coinB])

  useEffect(() => {
    const back = () => {
      if (document.visibilityState === 'visible') session.current?.refetch()
    }
    window.addEventListener('online', back)
    document.addEventListener('visibilitychange', back)
    return () => {
      window.removeEventListener('online', back)
      document.removeEventListener('visibilitychange', back)
    }
  }, [])

  return { state, refetch: () => session.current?.refetch() }
}
