import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CallFailure, CallInput, CallRoute, CallValue } from '../db/call'
import { UNREACHED } from '../domain/error-message'
import { openDialogAtom } from './open-dialogs'
import { useServices } from './services'

/**
 * A failed call as a sentence for the user.
 * @param otherwise shown if the server gives no reason
 * @param unreached shown if nothing answered
 */
export const sentenceOf = ({ status, message }: CallFailure, otherwise: string, unreached = UNREACHED): string =>
  status === 0 ? unreached : message === '' ? otherwise : message

type Outcome<T> =
  | {
      readonly kind: 'known'
      readonly value: T
      /** Milliseconds of the answer. */
      readonly at: number
      /** Of a later call with the same input; null: it did not fail. */
      readonly failure: CallFailure | null
    }
  | { readonly kind: 'failed'; readonly failure: CallFailure }

/** The answer to a call so far; `pending`: the call, or another one, is under way. */
export type Asked<T> = { readonly kind: 'waiting' } | (Outcome<T> & { readonly pending: boolean })

interface Latest<T> {
  /** Names the call; `about` its route and input. */
  readonly round: string
  readonly about: string
  readonly outcome: Outcome<T>
}

/** Milliseconds between two tries while nothing answers: a browser may report too early that it is online again. */
const RETRY_EVERY = 5_000

/**
 * Calls on mount, when route or input change, and repeatedly while nothing answers; the returned function calls anew. The
 * answer to an earlier input shows until the next one, as long as the component lives. Answers overtaken by a later call
 * are dropped.
 * @param version a count whose change calls anew
 */
export function useAnswer<R extends CallRoute>(
  route: R,
  input: CallInput<R>,
  version = 0,
): readonly [Asked<CallValue<R>>, () => void] {
  const { engine, commands } = useServices()
  const [count, setCount] = useState(0)
  const [latest, setLatest] = useState<Latest<CallValue<R>>>()
  const about = JSON.stringify([route, input])
  const round = `${count} ${version} ${about}`
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
      // The user may have lost the right: the screens follow the account.
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

  return [latest === undefined ? { kind: 'waiting' } : { ...latest.outcome, pending }, again]
}

const accountChangesAtom = atom(0)

/** Has the lists of `useAccountAnswer` called anew, since the page may have changed what they tell. */
export function useTellAccountChanged(): () => void {
  const set = useSetAtom(accountChangesAtom)
  return useCallback(() => set((before) => before + 1), [set])
}

/** `useAnswer` about the account's ways in, which one card of the page changes and another lists. */
export const useAccountAnswer = <R extends CallRoute>(route: R, input: CallInput<R>) =>
  useAnswer(route, input, useAtomValue(accountChangesAtom))

const NOT_CONFIRMED = 'Nothing was changed, since you did not confirm that it is you.'

/** Makes a call that needs a fresh sign-in. If the session's is too old, the user confirms it, and the call is repeated. */
export function useFreshSignIn() {
  const openDialog = useSetAtom(openDialogAtom)
  const tellAccountChanged = useTellAccountChanged()
  return async <R extends { readonly ok: true }>(ask: () => Promise<R | CallFailure>): Promise<R | CallFailure> => {
    try {
      const first = await ask()
      if (first.ok || first.error_code !== 'FRESH_SIGN_IN_REQUIRED') return first
      const confirmed = await new Promise<boolean>((onAnswer) => openDialog({ kind: 'confirm-identity', onAnswer }))
      return confirmed ? await ask() : { ...first, message: NOT_CONFIRMED }
    } finally {
      tellAccountChanged()
    }
  }
}

/** Milliseconds after which the user counts as staying, such as after the browser's stop button. */
const DEPARTED_BY = 10_000

/** Fetches the address of a page of the payment provider and goes there, unless the user closes the dialog meanwhile. */
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
    // Back by the browser's button: the page is as the user left it, but the account may have changed.
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
