import { useAtomValue } from 'jotai'
import { CircleCheck, Clock, CloudOff, LoaderCircle, type LucideIcon, UserRound } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { AccountView } from '../../db/account'
import type { TierLimits } from '../../domain/tier-limits'
import { accountAtom } from '../../state/account'
import { useTierLimits } from '../../state/server-settings'
import { useServices } from '../../state/services'
import { useOnline, usePageVisible } from '../../ui/browser-state'
import { Button, buttonClass } from '../../ui/button'
import { SoloPage } from '../../ui/page'
import stack from '../../ui/stack.module.css'
import text from '../../ui/text.module.css'
import styles from './checkout-pages.module.css'
const ToDashboard = ({ ref }: { readonly ref?: Ref<HTMLAnchorElement> }) => (
  <Link href="/" ref={ref} className={buttonClass({ variant: 'primary' })}>
    Go to the dashboard
  </Link>
)

/** Address to which the payment provider sends users who have paid. */
export function CheckoutSuccessPage() {
  const { state, askAgain } = useConfirmation()
  const wayOn = useRef<HTMLAnchorElement>(null)
  const ask = () => {
    askAgain()
    // The button disappears, and the focus with it.
    wayOn.current?.focus()
  }
  return (
    <SoloPage title="Thank you!">
      <ConfirmationNote state={state} />
      <div className={stack.gap3}>
        {state === 'signed-out' ? (
          <>
            <Link href="/login" className={buttonClass({ variant: 'primary' })}>
              Log In
            </Link>
            <Link href="/" className={buttonClass()}>
              Go to the dashboard
            </Link>
          </>
        ) : (
          <>
            <ToDashboard ref={wayOn} />
            {state === 'late' && <Button onClick={ask}>Ask again</Button>}
          </>
        )}
      </div>
    </SoloPage>
  )
}

/** Address to which the payment provider sends users who cancelled. */
export const CheckoutCanceledPage = () => (
  <SoloPage title="Subscription canceled" lead="Your subscription was canceled. You were not charged.">
    <ToDashboard />
  </SoloPage>
)

interface Words {
  readonly icon: LucideIcon
  readonly title: string
  readonly text: string
}

const SOON = 'Premium is switched on as soon as your payment has been confirmed, usually within a minute.'

/** @param premium limits of the tier; undefined until the server's settings have been loaded */
function wordsFor(state: Exclude<Confirmation, 'reading'>, premium: TierLimits['premium'] | undefined): Words {
  switch (state) {
    case 'confirming':
      return { icon: LoaderCircle, title: 'Confirming your payment…', text: SOON }
    case 'active':
      return {
        icon: CircleCheck,
        title: 'Premium is active',
        text:
          premium === undefined
            ? 'Everything it adds is yours from now on.'
            : `You can track ${premium.max_widgets} pairs now, with ${premium.max_checkpoints_per_widget} checkpoints each.`,
      }
    case 'late':
      return {
        icon: Clock,
        title: 'Still waiting for the confirmation',
        text: 'Nothing more is needed of you. Premium is switched on by itself, also when this page is closed.',
      }
    case 'offline':
      return {
        icon: CloudOff,
        title: 'The server could not be reached',
        text: 'Your payment is not lost. This device shows Premium with its next connection.',
      }
    case 'signed-out':
      return {
        icon: UserRound,
        title: 'You are not logged in',
        text: 'Log in with the account that you have paid for: Premium is switched on there.',
      }
  }
}

/** How far the payment has come; a screen reader reads each change. */
function ConfirmationNote({ state }: { readonly state: Confirmation }) {
  const premium = useTierLimits()?.premium
  const words = state === 'reading' ? null : wordsFor(state, premium)
  return (
    <div role="status" className={styles.note} data-state={state}>
      {words !== null && (
        <>
          <span className={styles.badge}>
            <words.icon aria-hidden="true" />
          </span>
          <p className={styles.title}>{words.title}</p>
          <p className={text.prose}>{words.text}</p>
        </>
      )}
    </div>
  )
}

/** Milliseconds between two questions, at first and at most; each wait is longer than the one before by this factor. */
const FIRST_WAIT = 2_000
const LONGEST_WAIT = 5_000
const SLOWING = 1.25

/** Milliseconds of asking a server that answers, after which the confirmation counts as late. */
const LATE_AFTER = 120_000

/**
 * Asks for the account until it has Premium: at once, and again while the page is visible and online. Every screen that
 * shows the account follows the answer.
 */
function useConfirmation(): { readonly state: Confirmation; readonly askAgain: () => void } {
  const { engine } = useServices()
  const account = useAtomValue(accountAtom)
  const online = useOnline()
  const visible = usePageVisible()
  const [progress, setProgress] = useState<Progress>('asking')
  const asked = useRef(false)
  const timeLeft = useRef(LATE_AFTER)
  const state = confirmationOf(account, online ? progress : 'unreachable')

  // Premium may be an operator's earlier grant: the page asks for the account once all the same.
  const signedIn = state !== 'reading' && state !== 'signed-out'
  const wanted = signedIn && online && visible && progress !== 'late'
  const over = state === 'active'
  useEffect(() => {
    if (!wanted || (over && asked.current)) return undefined
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (wait: number): Promise<void> => {
      asked.current = true
      const result = await engine.call('me', {})
      if (left) return
      // A server that does not answer is not late: the page asks until the server is back.
      const reached = result.ok || result.status !== 0
      if (reached) timeLeft.current -= wait
      if (timeLeft.current < 0) return setProgress('late')
      setProgress(reached ? 'asking' : 'unreachable')
      timer = setTimeout(() => void ask(Math.min(LONGEST_WAIT, wait * SLOWING)), wait)
    }
    void ask(FIRST_WAIT)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [engine, wanted, over])

  const askAgain = () => {
    timeLeft.current = LATE_AFTER
    setProgress('asking')
  }
  return { state, askAgain }
}

/** `unreachable`: the browser is offline, or nothing answered the last question. */
type Progress = 'asking' | 'unreachable' | 'late'

/** How far the payment has come. `reading`: the session is not read yet; `signed-out`: the user who paid is not signed in. */
type Confirmation = 'reading' | 'confirming' | 'active' | 'late' | 'offline' | 'signed-out'

function confirmationOf(account: AccountView | undefined, progress: Progress): Confirmation {
  if (account === undefined) return 'reading'
  if (account.account === 'guest' || account.expired) return 'signed-out'
  if (account.account === 'premium') return 'active'
  if (progress === 'unreachable') return 'offline'
  return progress === 'late' ? 'late' : 'confirming'
}
