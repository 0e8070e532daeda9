import { useEffect, useState } from 'react'

/** Milliseconds, renewed every `step` milliseconds: for ages on the screen. */
export function useNow(now: () => number, step: number): number {
  const [time, setTime] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), step)
    return () => clearInterval(timer)
  }, [now, step])
  return time
}
