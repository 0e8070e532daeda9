import { useCallback, useRef } from 'react'
import type { PushResult } from './push'

/** Nothing is under way. */
const IDLE: Promise<PushResult> = Promise.resolve({ ok: true })

/**
 * Several clicks on one switch, while the browser still asks: each has its turn behind the one before, so that the last
 * one stands in the end. Returns the function that gives a click its turn.
 */
export function useTurns(): (asked: Promise<PushResult> | null) => Promise<PushResult> {
  const last = useRef(IDLE)
  /** @param asked what switching on depends on; null: it is switched off, which depends on nothing */
  return useCallback((asked: Promise<PushResult> | null) => {
    const turn = last.current.then(
      // Switching off what was not permitted has nothing to switch off, and nothing more to say.
      (before): PushResult | Promise<PushResult> => asked ?? (before.ok ? before : { ok: false, message: null }),
    )
    last.current = turn
    void turn.then(() => {
      if (last.current === turn) last.current = IDLE
    })
    return turn
  }, [])
}
