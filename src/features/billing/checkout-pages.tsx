import { type Ref, useRef } from 'react'
import { Link } from 'wouter'
import { Button, buttonClass } from '../../ui/button'
import { SoloPage } from '../../ui/solo-page'
import styles from './checkout-pages.module.css'
import { ConfirmationNote } from './confirmation-note'
import { useConfirmation } from './use-confirmation'

const ToDashboard = ({ ref }: { readonly ref?: Ref<HTMLAnchorElement> }) => (
  <Link href="/" ref={ref} className={buttonClass({ variant: 'primary' })}>
    Go to the dashboard
  </Link>
)

/** Where the payment provider sends people who have paid. */
export function CheckoutSuccessPage() {
  const { state, askAgain } = useConfirmation()
  const wayOn = useRef<HTMLAnchorElement>(null)
  const ask = () => {
    askAgain()
    // The button goes, and would take the focus along.
    wayOn.current?.focus()
  }
  return (
    <SoloPage title="Thank you!">
      <ConfirmationNote state={state} />
      <div className={styles.actions}>
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

/** Where it sends people who have thought better of it. */
export function CheckoutCanceledPage() {
  return (
    <SoloPage title="Subscription canceled" lead="Your subscription was canceled. You were not charged.">
      <ToDashboard />
    </SoloPage>
  )
}
