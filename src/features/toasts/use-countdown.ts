import { useEffect, useRef } from 'react'

/**
 * Calls `onEnd` after `duration` milliseconds during which it was not paused.
 * @param turn another one begins the duration anew
 */
export function useCountdown(duration: number, turn: number, paused: boolean, onEnd: () => void): void {
  const left = useRef({ turn, ms: duration })
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })

  useEffect(() => {
    if (left.current.turn !== turn) left.current = { turn, ms: duration }
    if (paused) return undefined
    const started = performance.now()
    const timer = setTimeout(() => end.current(), left.current.ms)
    return () => {
      clearTimeout(timer)
      left.current.ms -= performance.now() - started
    }
  }, [duration, turn, paused])
}
