import { useAtomValue, useSetAtom } from 'jotai'
import { Check } from 'lucide-react'
import type { BoardView } from '../../db/view'
import { formatPlanPrice } from '../../domain/format-plan-price'
import { accountAtom } from '../../state/account'
import { boardAtom } from '../../state/live-data'
import { authOpenAtom, upgradeOpenAtom } from '../../state/panels'
import { useConfig } from '../../state/use-config'
import { useTierLimits } from '../../state/use-tier-limits'
import { Button } from '../../ui/button'
import { type Fact, Facts } from '../../ui/facts'
import { PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import { TierBadge } from '../../ui/tier-badge'
import { BillingPortalButton } from './billing-portal-button'
import { HiddenWindowsNote, NotificationsFact } from './notifications-fact'
import styles from './settings-page.module.css'

const waiting = <Skeleton width="2rem" height="1.25rem" />
const included = (
  <span className={styles.included}>
    <Check aria-hidden="true" />
    Included
  </span>
)

/** What the tier of whoever uses the app allows, and the way to more. */
export function PlanCard() {
  const board = useAtomValue(boardAtom)
  const premium = board?.account === 'premium'
  const facts: Fact[] = [
    { name: 'Plan', value: board === undefined ? waiting : <TierBadge premium={premium} /> },
    { name: 'Max widgets', value: board === undefined ? waiting : widgets(board) },
    { name: 'Checkpoints per widget', value: board?.limits.max_checkpoints_per_widget ?? waiting },
    { name: 'Real-time alerts', value: included },
    { name: 'Notifications on this device', value: <NotificationsFact waiting={waiting} /> },
  ]
  if (premium) facts.push({ name: 'Advanced charting', value: included })
  return (
    <PageCard title="Subscription Plan">
      <Facts facts={facts} />
      <HiddenWindowsNote />
      {board !== undefined && <More account={board.account} />}
    </PageCard>
  )
}

const widgets = ({ widgets: { length }, limits }: BoardView) => (
  <>
    <span className={styles.aside}>{length} in use</span> {limits.max_widgets}
  </>
)

function More({ account }: Pick<BoardView, 'account'>) {
  const openAuth = useSetAtom(authOpenAtom)
  const openUpgrade = useSetAtom(upgradeOpenAtom)
  const limits = useTierLimits()?.premium
  const planPrice = useConfig()?.billing.price
  const priceText = planPrice && formatPlanPrice(planPrice)
  const price = priceText ? `, for ${priceText}` : ''
  // Servers before this field do not say: the button is shown, and the server answers where nothing was bought.
  const bought = useAtomValue(accountAtom)?.user?.has_billing_account
  switch (account) {
    case 'premium':
      if (bought === false) return <p className={styles.text}>Premium was given to you: nothing is billed.</p>
      return (
        <div className={styles.more}>
          <p className={styles.text}>Invoices, payment method and cancellation.</p>
          <BillingPortalButton />
        </div>
      )
    case 'free':
      return (
        <div className={styles.more}>
          <p className={styles.text}>
            {limits === undefined
              ? 'Premium tracks more pairs.'
              : `Premium tracks ${limits.max_widgets} pairs with ${limits.max_checkpoints_per_widget} checkpoints each${price}.`}
          </p>
          <Button variant="primary" onClick={() => openUpgrade(true)}>
            Upgrade
          </Button>
        </div>
      )
    case 'guest':
      return (
        <div className={styles.more}>
          <p className={styles.text}>Log in to manage your subscription or to upgrade.</p>
          <Button onClick={() => openAuth({ view: 'login' })}>Log In</Button>
        </div>
      )
  }
}
