import { useEffect, useState } from 'react'
import type { WalkAnswer, WalkRequest } from '../../../../workers/api'
import { useServices } from '../../../state/services'

/** Milliseconds for which a moved threshold rests before its walk is asked for. */
const REST_MS = 150

/** Null: not enough past is stored for a fair test. */
export type WalkState = WalkAnswer | null | 'failed'

/**
 * The chart's backtest with lines that knew only what lay before them. While another is computed the last one of the same
 * `subject` stays; undefined: there is none yet.
 */
export function useWalk(request: WalkRequest, subject: string): WalkState | undefined {
  const { worker } = useServices()
  const [known, setKnown] = useState<{ readonly subject: string; readonly walk: WalkState }>()
  useEffect(() => {
    let isOver = false
    const show = (walk: WalkState) => {
      if (!isOver) setKnown({ subject, walk })
    }
    const timer = setTimeout(() => {
      worker()
        .walk(request)
        .then(show, (error: unknown) => {
          reportError(error)
          show('failed')
        })
    }, REST_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [worker, request, subject])
  return known?.subject === subject ? known.walk : undefined
}
