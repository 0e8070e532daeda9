import { useSetAtom } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CallFailure, CallInput, CallRoute, CallValue } from '../db/call'
import { UNREACHED } from '../domain/error-message'
import { openOverlayAtom } from './overlays'
import { useServices } from './services'

/**
 * A failed call as a sentence for people: in the server's words where it has some.
 * @param otherwise said if the server gives no reason
 * @param unreached said if nothing answered
 */
export const sentenceOf = ({ status, message }: CallFailure, otherwise: string, unreached = UNREACHED): string =>
  status === 0 ? unreached : message === '' ? otherwise : message

/** The answer to a call so far; `pending`: the call, or another one, is under way. */
export type Asked<T> =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'known'
      readonly value: T
      /** When it came; milliseconds. */
      readonly at: number
      readonly pending: boolean
      /** Of a later call with the same input; null: it did not fail. */
      readonly failure: CallFailure | null
    }
  | { readonly kind: 'failed'; readonly failure: CallFailure; readonly pending: boolean }

interface Latest<T> {
  /** Names the call; `about` its route and input. */
  readonly round: string
  readonly about: string
  readonly outcome:
    | { readonly kind: 'known'; readonly value: T; readonly at: number; readonly failure: CallFailure | null }
    | { readonly kind: 'failed'; readonly failure: CallFailure }
}

/** Milliseconds between two tries while nothing answers: a browser may think too early that it is online again. */
const RETRY_EVERY = 5_000

/**
 * Calls when it is mounted, when route or input change, and from time to time while nothing answers; the second of the pair
 * calls anew. The answer to an earlier input is shown until the next one, and lives no longer than the component. Answers
 * overtaken by a later call are dropped.
 */
export function useAnswer<R extends CallRoute>(
  route: R,
  input: CallInput<R>,
): readonly [Asked<CallValue<R>>, () => void] {
  const { engine, commands } = useServices()
  const [count, setCount] = useState(0)
  const [latest, setLatest] = useState<Latest<CallValue<R>>>()
  const about = JSON.stringify([route, input])
  const round = `${count} ${about}`
  const again = useCallback(() => setCount((before) => before + 1), [])

  useEffect(() => {
    let wanted = true
    const ask = async () => {
      const reply = await engine.call<R>(...(JSON.parse(about) as [R, CallInput<R>]))
      if (!wanted) return
      const at = commands.now()
      setLatest((before) => {
        if (reply.ok) return { round, about, outcome: { kind: 'known', value: reply.value, at, failure: null } }
        const kept = before?.about === about && before.outcome.kind === 'known' ? before.outcome : null
        return { round, about, outcome: kept ? { ...kept, failure: reply } : { kind: 'failed', failure: reply } }
      })
      // The right may have been taken away; the screens follow the account.
      if (!reply.ok && reply.status === 403) await engine.call('me', {})
    }
    void ask()
    return () => {
      wanted = false
    }
  }, [engine, commands, round, about])

  const pending = latest?.round !== round
  const unreached = !pending && latest?.outcome.failure?.status === 0
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

  if (latest === undefined) return [{ kind: 'waiting' }, again]
  return [{ ...latest.outcome, pending }, again]
}

const NOT_CONFIRMED = 'Nothing was changed, since you did not confirm that it is you.'

type WithFreshSignIn = <R extends { readonly ok: true }>(
  ask: () => Promise<R | CallFailure>,
) => Promise<R | CallFailure>

/**
 * Asks for something that wants a fresh sign-in. If this session's is too old, the user confirms who they are in a dialog,
 * and the same is asked for once more.
 */
export function useFreshSignIn(): WithFreshSignIn {
  const openOverlay = useSetAtom(openOverlayAtom)
  return async (ask) => {
    const first = await ask()
    if (first.ok || first.error_code !== 'FRESH_SIGN_IN_REQUIRED') return first
    const confirmed = await new Promise<boolean>((onAnswer) => openOverlay({ kind: 'confirm-identity', onAnswer }))
    return confirmed ? ask() : { ...first, message: NOT_CONFIRMED }
  }
}

/** Milliseconds after which a departure that has not happened was stopped, such as by the browser's stop button. */
const DEPARTED_BY = 10_000

/** Leads to a page of the payment provider, whose address is asked for first; whoever closes what asked stays here. */
export function useBillingVisit(
  route: 'createCheckoutSession' | 'createPortalSession',
  onRefused: (failure: CallFailure) => void,
): { readonly busy: boolean; readonly leave: () => Promise<void> } {
  const { engine } = useServices()
  const [busy, setBusy] = useState(false)
  const here = useRef(true)
  const departure = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    here.current = true
    // Back from the provider by the browser's button: the page is as it was left, and the account may not be.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      clearTimeout(departure.current)
      setBusy(false)
      void engine.call('me', {})
    }
    window.addEventListener('pageshow', comeBack)
    return () => {
      here.current = false
      clearTimeout(departure.current)
      window.removeEventListener('pageshow', comeBack)
    }
  }, [engine])

  const leave = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    const reply = await engine.call(route, {})
    if (!here.current) return
    if (reply.ok) {
      location.assign(reply.value.url)
      departure.current = setTimeout(setBusy, DEPARTED_BY, false)
    } else {
      setBusy(false)
      onRefused(reply)
    }
  }
  return { busy, leave }
}
