import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { accountAtom } from '../../state/account'
import { useServices } from '../../state/services'
import { useOnline } from '../../ui/use-online'
import { usePageVisible } from '../../ui/use-page-visible'
import { type Confirmation, confirmationOf } from './confirmation'

/** Milliseconds between two questions, at first and at most, and how much longer each wait is than the one before. */
const FIRST_WAIT = 2_000
const LONGEST_WAIT = 5_000
const SLOWING = 1.25

/** Milliseconds of asking a server that answers, after which it is called late. */
export const PATIENCE = 120_000

/**
 * Asks for the account until it says Premium: at once, and again and again while somebody can see it and there is a
 * network. What comes of it shows wherever the account is shown.
 */
export function useConfirmation(): { readonly state: Confirmation; readonly askAgain: () => void } {
  const { engine } = useServices()
  const account = useAtomValue(accountAtom)
  const online = useOnline()
  const visible = usePageVisible()
  const [answered, setAnswered] = useState(true)
  const [late, setLate] = useState(false)
  const asked = useRef(false)
  const patience = useRef(PATIENCE)
  const state = confirmationOf({ account, reachable: online && answered, late })

  // Premium may be an operator's gift from before: the account is asked for once all the same.
  const signedIn = state !== 'reading' && state !== 'signed-out'
  const wanted = signedIn && online && visible && !late
  const over = state === 'active'
  useEffect(() => {
    if (!wanted || (over && asked.current)) return undefined
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (wait: number): Promise<void> => {
      asked.current = true
      const result = await engine.account({ kind: 'reload-account' })
      if (left) return
      const reached = result.ok || result.status !== 0
      setAnswered(reached)
      // A server that is away has not been slow: it is asked on until it is back.
      if (reached) patience.current -= wait
      if (patience.current < 0) setLate(true)
      else timer = setTimeout(() => void ask(Math.min(LONGEST_WAIT, wait * SLOWING)), wait)
    }
    void ask(FIRST_WAIT)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [engine, wanted, over])

  const askAgain = () => {
    patience.current = PATIENCE
    setLate(false)
  }
  return { state, askAgain }
}
