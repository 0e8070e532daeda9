import { useAtomValue, useSetAtom } from 'jotai'
import { Check, ExternalLink } from 'lucide-react'
import { Link } from 'wouter'
import type { BoardView } from '../../db/view'
import { formatPlanPrice } from '../../domain/subscription'
import { accountAtom } from '../../state/account'
import { sentenceOf, useBillingVisit } from '../../state/calls'
import { HIDDEN_WINDOWS, PUSH_WORDS, pushStateAtom } from '../../state/push'
import { boardAtom } from '../../state/live-data'
import { openDialogAtom } from '../../state/open-dialogs'
import { useConfig, useTierLimits } from '../../state/server-settings'
import { showToastAtom } from '../../state/toasts'
import { BusyButton } from '../../ui/form'
import { Button, linkClass } from '../../ui/button'
import { type Fact, Facts } from '../../ui/facts'
import { CardActions, PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import { TierBadge } from '../../ui/badge'
import { Tooltip } from '../../ui/tooltip'
import styles from './settings-page.module.css'

const waiting = <Skeleton width="2rem" height="1.25rem" />
const included = (
  <span className={styles.included}>
    <Check aria-hidden="true" />
    Included
  </span>
)

/** Limits of the user's tier, and the way to more. */
export function PlanCard() {
  const board = useAtomValue(boardAtom)
  const premium = board?.account === 'premium'
  const facts: Fact[] = [
    { name: 'Plan', value: board === undefined ? waiting : <TierBadge premium={premium} /> },
    { name: 'Max widgets', value: board === undefined ? waiting : widgets(board) },
    { name: 'Checkpoints per widget', value: board?.limits.max_checkpoints_per_widget ?? waiting },
    { name: 'Real-time alerts', value: included },
    { name: 'Notifications on this device', value: <NotificationsFact /> },
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
  const openDialog = useSetAtom(openDialogAtom)
  const limits = useTierLimits()?.premium
  const planPrice = useConfig()?.billing.price
  const price = planPrice && formatPlanPrice(planPrice)
  // Undefined from an older server: the button is shown, and the server answers where nothing was bought.
  const bought = useAtomValue(accountAtom)?.user?.has_billing_account
  switch (account) {
    case 'premium':
      if (bought === false) return <p className={styles.text}>Premium was given to you: nothing is billed.</p>
      return (
        <CardActions className={styles.row}>
          <p className={styles.text}>Invoices, payment method and cancellation.</p>
          <BillingPortalButton />
        </CardActions>
      )
    case 'free':
      return (
        <CardActions className={styles.row}>
          <p className={styles.text}>
            {limits === undefined
              ? 'Premium tracks more pairs.'
              : `Premium tracks ${limits.max_widgets} pairs with ${limits.max_checkpoints_per_widget} checkpoints each${price ? `, for ${price}` : ''}.`}
          </p>
          <Button variant="primary" onClick={() => openDialog({ kind: 'upgrade' })}>
            Upgrade
          </Button>
        </CardActions>
      )
    case 'guest':
      return (
        <CardActions className={styles.row}>
          <p className={styles.text}>Log in to manage your subscription or to upgrade.</p>
          <Button onClick={() => openDialog({ kind: 'auth', view: 'login' })}>Log In</Button>
        </CardActions>
      )
  }
}

const NOT_SOLD_HERE = 'This server does not sell Premium, so there is nothing to bill.'
const NAME = 'Open Billing Portal'

/** Leads to the payment provider's pages. Without a provider the button takes the focus, does nothing, and says why. */
function BillingPortalButton() {
  const showToast = useSetAtom(showToastAtom)
  const refuse = (reason: string) =>
    showToast({ kind: 'error', message: `Could not open the billing portal. ${reason}`.trim() })
  const { busy, leave } = useBillingVisit('createPortalSession', (failure) => refuse(sentenceOf(failure, '')))

  if (useConfig()?.billing.available === false) {
    return (
      <Tooltip text={NOT_SOLD_HERE} align="end">
        {(describedBy) => (
          <Button
            icon={ExternalLink}
            aria-disabled="true"
            aria-describedby={describedBy}
            onClick={() => refuse(NOT_SOLD_HERE)}
          >
            {NAME}
          </Button>
        )}
      </Tooltip>
    )
  }
  return (
    <BusyButton icon={ExternalLink} busy={busy} onClick={() => void leave()}>
      {NAME}
    </BusyButton>
  )
}

/** Every plan has alerts; the user decides on the Alerts page if this device gets notifications of them. */
function NotificationsFact() {
  const state = useAtomValue(pushStateAtom)
  if (state === undefined) return waiting
  if (state !== 'off' && state !== 'needs-home-screen') return PUSH_WORDS[state]
  return (
    <Link href="/alerts" className={linkClass}>
      Enable
    </Link>
  )
}

/** Says how alerts arrive on a device without notifications; nothing where it has them, or while the page does not know. */
function HiddenWindowsNote() {
  const state = useAtomValue(pushStateAtom)
  if (state === undefined || state === 'on') return null
  return <p className={styles.note}>{HIDDEN_WINDOWS}</p>
}
