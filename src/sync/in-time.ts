import { type Timer, withTimeLimit } from '../domain/waits'

export const browserTimer: Timer = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** The result of `work`; after `ms` milliseconds an error that says `sentence`, while `work` goes on. */
export const inTime = <T>(work: Promise<T>, ms: number, sentence: string, timer: Timer = browserTimer): Promise<T> =>
  withTimeLimit(timer, ms, work, () => {
    throw new Error(sentence)
  })
