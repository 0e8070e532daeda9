import { useCallback, useEffect, useState } from 'react'
import type { AskFailure } from '../db/account-request'
import type { Answers, QuestionKind, QuestionOf } from '../db/question'
import { useServices } from './services'

/** What has come of a question so far; `pending`: it, or another one, is being asked. */
export type Asked<T> =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'known'
      readonly value: T
      /** When it came; milliseconds. */
      readonly at: number
      readonly pending: boolean
      /** What came of asking the same again; null: nothing went wrong. */
      readonly failure: AskFailure | null
    }
  | { readonly kind: 'failed'; readonly failure: AskFailure; readonly pending: boolean }

interface Settled<T> {
  /** Which asking it was, and of what. */
  readonly round: string
  readonly about: string
  readonly outcome:
    | { readonly kind: 'known'; readonly value: T; readonly at: number; readonly failure: AskFailure | null }
    | { readonly kind: 'failed'; readonly failure: AskFailure }
}

/** Milliseconds between two tries while nothing answers: a browser may think too early that it is online again. */
const RETRY_EVERY = 5_000

/**
 * Asks when it is mounted, when the question changes, and while nothing answers from time to time; the second of the pair
 * asks anew. What an earlier question was answered is shown until the next answer, and lives no longer than the
 * component. Answers overtaken by a later question are dropped.
 */
export function useAnswer<K extends QuestionKind>(question: QuestionOf<K>): readonly [Asked<Answers[K]>, () => void] {
  const { engine, commands } = useServices()
  const [count, setCount] = useState(0)
  const [settled, setSettled] = useState<Settled<Answers[K]>>()
  const about = JSON.stringify(question)
  const round = `${count} ${about}`
  const again = useCallback(() => setCount((before) => before + 1), [])

  useEffect(() => {
    let wanted = true
    const ask = async () => {
      const reply = await engine.ask<K>(JSON.parse(about) as QuestionOf<K>)
      if (!wanted) return
      const at = commands.now()
      setSettled((before) => {
        if (reply.ok) return { round, about, outcome: { kind: 'known', value: reply.value, at, failure: null } }
        const kept = before?.about === about && before.outcome.kind === 'known' ? before.outcome : null
        return { round, about, outcome: kept ? { ...kept, failure: reply } : { kind: 'failed', failure: reply } }
      })
      // The right may have been taken away; the screens follow the account.
      if (!reply.ok && reply.status === 403) await engine.account({ kind: 'reload-account' })
    }
    void ask()
    return () => {
      wanted = false
    }
  }, [engine, commands, round, about])

  const pending = settled?.round !== round
  const unreached = !pending && settled?.outcome.failure?.status === 0
  useEffect(() => {
    if (!unreached) return
    const retry = setInterval(() => {
      if (navigator.onLine && document.visibilityState === 'visible') again()
    }, RETRY_EVERY)
    window.addEventListener('online', again)
    return () => {
      clearInterval(retry)
      window.removeEventListener('online', again)
    }
  }, [unreached, again])

  if (settled === undefined) return [{ kind: 'waiting' }, again]
  return [{ ...settled.outcome, pending }, again]
}
