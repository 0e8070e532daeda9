import { useEffect, useRef, useState } from 'react'
import type { AskFailure } from '../db/account-request'
import { useServices } from './services'

/** Milliseconds after which a departure that has not happened was stopped, such as by the browser's stop button. */
const DEPARTED_BY = 10_000

/** Leads to a page of the payment provider, whose address is asked for first; whoever closes what asked stays here. */
export function useBillingVisit(
  question: 'open-checkout' | 'open-portal',
  onRefused: (failure: AskFailure) => void,
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
      void engine.account({ kind: 'reload-account' })
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
    const reply = await engine.ask({ kind: question })
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
