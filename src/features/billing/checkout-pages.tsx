import { useEffect } from 'react'
import { Link } from 'wouter'
import { useServices } from '../../state/services'
import { buttonClass } from '../../ui/button'
import { SoloPage } from '../../ui/solo-page'

const toDashboard = (
  <Link href="/" className={buttonClass({ variant: 'primary' })}>
    Go to the dashboard
  </Link>
)

/** Where the payment provider sends people who have paid. */
export function CheckoutSuccessPage() {
  const { engine } = useServices()
  useEffect(() => {
    // What comes of it shows wherever the account is shown; without a network, the next sync asks again.
    void engine.account({ kind: 'reload-account' })
  }, [engine])
  return (
    <SoloPage
      title="Thank you!"
      lead="Premium is switched on as soon as your payment has been confirmed, usually within a minute."
    >
      {toDashboard}
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
