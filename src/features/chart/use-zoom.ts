import { useCallback, useEffect, useRef, useState } from 'react'
import type { Window } from './plot/window'

/** Milliseconds without another movement after which a view counts as chosen. */
const SETTLED = 200

export interface Zoom {
  readonly zoomed: boolean
  /** The view that was last rested upon; null: everything. */
  readonly settled: Window | null
  /** Takes every movement; only the first and the last of a row render anything. */
  readonly onView: (view: Window | null) => void
}

/** What of the chart is looked at, for whatever stands around the plot. */
export function useZoom(): Zoom {
  const [zoomed, setZoomed] = useState(false)
  const [settled, setSettled] = useState<Window | null>(null)
  const timer = useRef<number>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const onView = useCallback((view: Window | null) => {
    clearTimeout(timer.current)
    setZoomed(view !== null)
    if (view === null) setSettled(null)
    else timer.current = window.setTimeout(setSettled, SETTLED, view)
  }, [])
  return { zoomed, settled, onView }
}
