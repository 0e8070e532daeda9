import { CircleCheck, CreditCard, FlaskConical, Info, type LucideIcon, UserRound } from 'lucide-react'
import { NOT_SOLD } from './checkout-problem'
import type { Offer } from './offer'
import styles from './offer-note.module.css'

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

/** What there is to know before the way to Premium is taken, or why there is none. */
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
