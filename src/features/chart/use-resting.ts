import { startTransition, useEffect, useState } from 'react'

/** Milliseconds without another value after which one counts as there to stay; by then its own frame has been painted. */
const REST = 150

/** The value as it was when it last rested: for what stands beside the chart and must not be in the way of its frames. */
export function useResting<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setRested(value)), REST)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
