import { startTransition, useEffect, useState } from 'react'

/** Milliseconds without another value; by then the browser has painted the chart's frame. */
const REST_MS = 150

/** The value as of its last rest: components beside the chart must not delay its frames. */
export function useResting<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setRested(value)), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
