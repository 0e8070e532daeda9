/** Runs `run` after `ms` milliseconds unless the function that it returns is called before. */
export type Timer = (ms: number, run: () => void) => () => void

export const browserTimer: Timer = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * The same promise, given up after `ms` milliseconds with an error that says `sentence`. What was begun goes on.
 */
export function inTime<T>(work: Promise<T>, ms: number, sentence: string, timer: Timer = browserTimer): Promise<T> {
  let cancel: () => void = () => undefined
  const late = new Promise<never>((_resolve, reject) => {
    cancel = timer(ms, () => reject(new Error(sentence)))
  })
  return Promise.race([work, late]).finally(cancel)
}
