import { Link } from 'wouter'
import { Button, buttonClass } from '../../ui/button'
import { SoloPage } from '../../ui/solo-page'
import styles from './checkout-pages.module.css'
import { ConfirmationNote } from './confirmation-note'
import { useConfirmation } from './use-confirmation'

const toDashboard = (
  <Link href="/" className={buttonClass({ variant: 'primary' })}>
    Go to the dashboard
  </Link>
)

/** Where the payment provider sends people who have paid. */
export function CheckoutSuccessPage() {
  const { state, askAgain } = useConfirmation()
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
            {toDashboard}
            {state === 'late' && <Button onClick={askAgain}>Ask again</Button>}
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
      {toDashboard}
    </SoloPage>
  )
}
