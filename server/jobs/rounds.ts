/** Work that is looked for again and again. */
export interface Rounds {
  /** No further round begins; waits for the one that is under way. */
  stop(): Promise<void>
}

/**
 * Runs `round` in fixed steps, one at a time: a step that finds one under way is left out.
 * @param step milliseconds
 * @param round is to end soon once `stopped` says so
 * @param failed is told of each round that failed; the next one comes all the same
 */
export function startRounds(
  step: number,
  round: (stopped: () => boolean) => Promise<void>,
  failed: (error: unknown) => void,
): Rounds {
  let stopped = false
  let underWay: Promise<void> | null = null
  const timer = setInterval(() => {
    underWay ??= round(() => stopped)
      .catch(failed)
      .finally(() => {
        underWay = null
      })
  }, step)
  return {
    stop: async () => {
      clearInterval(timer)
      stopped = true
      await underWay
    },
  }
}
