import { useEffect, useRef, useState } from 'react'
import type { WalkAnswer, WalkRequest } from '../../../../workers/api'
import { PERIODS } from '../../../domain/chart-periods'
import { useServices } from '../../../state/services'

/** Milliseconds for which a moved threshold rests before its walk is asked for. */
const REST_MS = 150

/** Null: not enough past is stored for a fair test. */
export type WalkState = WalkAnswer | null | 'failed'

/**
 * The chart's backtest with lines that knew only what lay before them. While another is computed the last one of the same
 * `subject` stays; undefined: there is none yet. A walk without its past has the server asked once for the next longer period, which
 * reaches back far enough; the chart that the worker computes with it is the next request.
 */
export function useWalk(request: WalkRequest, subject: string): WalkState | undefined {
  const { engine, worker } = useServices()
  const [known, setKnown] = useState<{ readonly subject: string; readonly walk: WalkState }>()
  const asked = useRef<string>(undefined)
  useEffect(() => {
    let isOver = false
    const show = (walk: WalkState) => {
      if (!isOver) setKnown({ subject, walk })
    }
    const ask = async () => {
      const { coinA, coinB, period } = request
      const walk = await worker().walk(request)
      show(walk)
      const longer = PERIODS[PERIODS.indexOf(period) + 1]
      if (isOver || walk?.period === period || longer === undefined || asked.current === subject) return
      asked.current = subject
      for (const id of [coinA, coinB]) void engine.call('historical', { id, period: longer })
    }
    const timer = setTimeout(() => {
      ask().catch((error: unknown) => {
        reportError(error)
        show('failed')
      })
    }, REST_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [engine, worker, request, subject])
  return known?.subject === subject ? known.walk : undefined
}
