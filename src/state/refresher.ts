interface RefresherOptions {
  /** Asks and stores the answer; must not reject. */
  readonly ask: () => Promise<void>
  /** Milliseconds between two requests that `soon` makes. */
  readonly spacing: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Ends it. */
  readonly signal: AbortSignal
}

interface Refresher {
  /** Asks at once. */
  readonly now: () => void
  /** Asks when the spacing since the last request is over. */
  readonly soon: () => void
}

/**
 * Asks again as its data change, one request at a time; changes meanwhile lead to one more request. A hidden page asks when
 * the user looks at it again. A request that fails counts for the spacing like any other.
 */
export function refresher({ ask, spacing, now, signal }: RefresherOptions): Refresher {
  let state: 'idle' | 'asking' | 'asking, and once more' = 'idle'
  let isOwed = false
  let askedAt = -Infinity
  let pause: ReturnType<typeof setTimeout> | undefined

  const run = async (): Promise<void> => {
    do {
      state = 'asking'
      askedAt = now()
      await ask()
    } while (isWantedAgain() && !signal.aborted)
    state = 'idle'
  }
  const isWantedAgain = () => state === 'asking, and once more'

  const askNow = (): void => {
    clearTimeout(pause)
    pause = undefined
    isOwed = document.visibilityState !== 'visible'
    if (isOwed || signal.aborted) return
    if (state === 'idle') void run()
    else state = 'asking, and once more'
  }

  document.addEventListener('visibilitychange', () => isOwed && askNow(), { signal })
  signal.addEventListener('abort', () => clearTimeout(pause), { once: true })
  return {
    now: askNow,
    soon() {
      const since = now() - askedAt
      // A clock that was set back makes no longer pause.
      if (since < 0 || since >= spacing) askNow()
      else pause ??= setTimeout(askNow, spacing - since)
    },
  }
}
