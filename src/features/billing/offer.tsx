import { useSetAtom } from 'jotai'
import { CircleCheck, CreditCard, ExternalLink, FlaskConical, Info, type LucideIcon, UserRound } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { Config } from '../../contract/settings'
import type { Account } from '../../db/account'
import type { CallFailure } from '../../db/call'
import { sentenceOf, useBillingVisit } from '../../state/calls'
import { openDialogAtom } from '../../state/open-dialogs'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { BusyButton, SideNote } from '../../ui/form'
import styles from './offer-note.module.css'

/** Offer of the upgrade dialog. */
type Offer =
  /** The user has Premium. */
  | { readonly kind: 'premium' }
  /** This server sells nothing. */
  | { readonly kind: 'not-sold' }
  /** Premium belongs to an account. */
  | { readonly kind: 'account-first' }
  /** `sandbox`: nothing is charged. */
  | { readonly kind: 'checkout'; readonly sandbox: boolean }

/** @param billing undefined until the server's settings have been loaded; the server itself answers the checkout then */
export function offerOf(account: Account | undefined, billing: Config['billing'] | undefined): Offer {
  if (account === 'premium') return { kind: 'premium' }
  if (billing?.available === false) return { kind: 'not-sold' }
  if (account === 'guest') return { kind: 'account-first' }
  return { kind: 'checkout', sandbox: billing?.sandbox ?? false }
}

interface OfferActionsProps {
  readonly offer: Offer
  readonly onClose: () => void
}

/** For the button of the main action. */
type MainRef = RefObject<HTMLButtonElement | null>

/** Actions on an offer, the main one last. */
export function OfferActions({ offer, onClose }: OfferActionsProps) {
  const main: MainRef = useRef(null)
  // A changed offer (Premium arrives meanwhile) removes the button that had the focus.
  const shown = useRef(offer.kind)
  useEffect(() => {
    if (offer.kind !== shown.current && document.activeElement === document.body) main.current?.focus()
    shown.current = offer.kind
  }, [offer.kind])
  switch (offer.kind) {
    case 'premium':
    case 'not-sold':
      return (
        <Button ref={main} variant="primary" data-autofocus onClick={onClose}>
          OK
        </Button>
      )
    case 'account-first':
      return <AccountFirst main={main} onClose={onClose} />
    case 'checkout':
      return (
        <>
          <Button onClick={onClose}>Not now</Button>
          <CheckoutButton main={main} />
        </>
      )
  }
}

function AccountFirst({ main, onClose }: Pick<OfferActionsProps, 'onClose'> & { readonly main: MainRef }) {
  const openDialog = useSetAtom(openDialogAtom)
  const goTo = (view: 'login' | 'register') => () => {
    onClose()
    openDialog({ kind: 'auth', view })
  }
  return (
    <>
      <Button onClick={goTo('login')}>Log In</Button>
      <Button ref={main} variant="primary" data-autofocus onClick={goTo('register')}>
        Create an account
      </Button>
    </>
  )
}

function CheckoutButton({ main }: { readonly main: MainRef }) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const { busy, leave } = useBillingVisit('createCheckoutSession', (failure) => {
    showToast({ kind: 'error', message: checkoutProblem(failure) })
    // Bought on another device; this browser does not know yet.
    if (failure.error_code === 'ALREADY_SUBSCRIBED') void engine.call('me', {})
  })
  return (
    <BusyButton
      ref={main}
      variant="primary"
      data-autofocus
      busy={busy}
      icon={ExternalLink}
      onClick={() => void leave()}
    >
      Continue to checkout
    </BusyButton>
  )
}

type Note = readonly [icon: LucideIcon, title: string, text: string]

const PAID_AT_STRIPE =
  'You pay on the page of Stripe, which shows the full price before anything is charged. It renews until you cancel it in Settings.'

function noteOf(offer: Offer): Note {
  switch (offer.kind) {
    case 'premium':
      return [CircleCheck, 'Premium is active', 'All of this is yours already.']
    case 'not-sold':
      return [Info, NOT_SOLD, 'Your pairs stay as they are. To track another one, remove an active pair.']
    case 'account-first': {
      const text = 'Create one first, or log in. The pairs you track as a guest can come along.'
      return [UserRound, 'Premium belongs to an account', text]
    }
    case 'checkout':
      return offer.sandbox
        ? [FlaskConical, 'A trial of the checkout', 'This server runs in a sandbox: nothing is charged.']
        : [CreditCard, 'Cancel any time', PAID_AT_STRIPE]
  }
}

/** Notes before the user goes to the payment page, or the reason why this user cannot. */
export function OfferNote({ offer }: { readonly offer: Offer }) {
  const [Icon, title, text] = noteOf(offer)
  return (
    <SideNote icon={Icon} className={styles.note} data-offer={offer.kind} role="status">
      <div>
        <p className={styles.title}>{title}</p>
        <p>{text}</p>
      </div>
    </SideNote>
  )
}

/** The specification's sentence for a server that sells nothing, now or at all. */
const NOT_SOLD = 'Payment processing is currently unavailable.'

/** Why the checkout does not open, in the specification's words. */
function checkoutProblem(failure: CallFailure): string {
  if (failure.error_code === 'BILLING_UNAVAILABLE') return NOT_SOLD
  const message = `Error: ${failure.message}`
  return sentenceOf({ ...failure, message }, '', 'Could not connect to the subscription service.')
}
