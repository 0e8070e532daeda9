import { useSetAtom } from 'jotai'
import { CircleCheck, CreditCard, ExternalLink, FlaskConical, Info, type LucideIcon, UserRound } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { openOverlayAtom } from '../../state/overlays'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { sentenceOf, useBillingVisit } from '../../state/calls'
import { BusyButton } from '../../ui/form'
import { Button } from '../../ui/button'
import styles from './offer-note.module.css'
import type { CallFailure } from '../../db/call'
import type { Config } from '../../contract/settings'
import type { Account } from '../../db/account'

/** Offer of the upgrade dialog. */
type Offer =
  /** They have it already. */
  | { readonly kind: 'premium' }
  /** This server sells nothing. */
  | { readonly kind: 'not-sold' }
  /** Premium belongs to an account. */
  | { readonly kind: 'account-first' }
  /** `sandbox`: nothing is charged. */
  | { readonly kind: 'checkout'; readonly sandbox: boolean }

/** @param billing undefined while the server's settings have never been loaded: the server itself answers then */
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

/** For the main thing that can be done. */
type MainRef = RefObject<HTMLButtonElement | null>

/** Actions on an offer, the main one last. */
export function OfferActions({ offer, onClose }: OfferActionsProps) {
  const main: MainRef = useRef(null)
  // An offer that changes, such as when Premium arrives meanwhile, takes the button away that had the focus.
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
  const openOverlay = useSetAtom(openOverlayAtom)
  const goTo = (view: 'login' | 'register') => () => {
    onClose()
    openOverlay({ kind: 'auth', view })
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
    // Bought on another device, and not heard of here yet.
    if (failure.error_code === 'ALREADY_SUBSCRIBED') void engine.call('me', {})
  })
  return (
    <BusyButton
      ref={main}
      variant="primary"
      data-autofocus
      busy={busy}
      icon={<ExternalLink aria-hidden="true" />}
      onClick={() => void leave()}
    >
      Continue to checkout
    </BusyButton>
  )
}

interface Note {
  readonly icon: LucideIcon
  readonly title: string
  readonly text: string
}

const WHERE_PAID = 'You pay on the page of Stripe, which shows the full price before anything is charged.'

function noteOf(offer: Offer): Note {
  switch (offer.kind) {
    case 'premium':
      return { icon: CircleCheck, title: 'Premium is active', text: 'All of this is yours already.' }
    case 'not-sold':
      return {
        icon: Info,
        title: NOT_SOLD,
        text: 'Your pairs stay as they are. To track another one, remove an active pair.',
      }
    case 'account-first':
      return {
        icon: UserRound,
        title: 'Premium belongs to an account',
        text: 'Create one first, or log in. The pairs you track as a guest can come along.',
      }
    case 'checkout':
      return offer.sandbox
        ? {
            icon: FlaskConical,
            title: 'A trial of the checkout',
            text: 'This server runs in a sandbox: nothing is charged.',
          }
        : {
            icon: CreditCard,
            title: 'Cancel any time',
            text: `${WHERE_PAID} It renews until you cancel it in Settings.`,
          }
  }
}

/** Notes before the user goes to the payment page, or the reason why there is none. */
export function OfferNote({ offer }: { readonly offer: Offer }) {
  const { icon: Icon, title, text } = noteOf(offer)
  return (
    <div className={styles.note} data-offer={offer.kind} role="status">
      <Icon aria-hidden="true" />
      <div>
        <p className={styles.title}>{title}</p>
        <p>{text}</p>
      </div>
    </div>
  )
}

/** The specification's sentence for a server that sells nothing, now or at all. */
const NOT_SOLD = 'Payment processing is currently unavailable.'

/** Why nobody is led to the checkout, in the specification's words. */
function checkoutProblem(failure: CallFailure): string {
  if (failure.error_code === 'BILLING_UNAVAILABLE') return NOT_SOLD
  return sentenceOf(
    { ...failure, message: `Error: ${failure.message}` },
    '',
    'Could not connect to the subscription service.',
  )
}
