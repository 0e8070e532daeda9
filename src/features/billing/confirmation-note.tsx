import { CircleCheck, Clock, CloudOff, LoaderCircle, type LucideIcon, UserRound } from 'lucide-react'
import type { TierLimits } from '../../domain/tier-limits'
import { useTierLimits } from '../../state/use-tier-limits'
import type { Confirmation } from './confirmation'
import styles from './confirmation-note.module.css'

interface Words {
  readonly icon: LucideIcon
  readonly title: string
  readonly text: string
}

const SOON = 'Premium is switched on as soon as your payment has been confirmed, usually within a minute.'

/** @param premium what the tier allows, where that is known */
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

/** How far the payment has come; read out as it changes. */
export function ConfirmationNote({ state }: { readonly state: Confirmation }) {
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
          <p className={styles.text}>{words.text}</p>
        </>
      )}
    </div>
  )
}
