import { CreditCard, Gift, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { AdminProfile } from '../../contract/admin'
import type { Subscription } from '../../contract/billing'
import { DAY } from '../../domain/granularity'
import { formatDay } from '../../domain/local-time'
import { daysProblem, DEFAULT_GRANT_DAYS, isManual, LONGEST_GRANT_DAYS, readDays } from '../../domain/subscription'
import { activeGrant, isPaying, originOf, periodOf, statusWordOf } from '../../domain/subscription-words'
import { type Asked, useFreshSignIn } from '../../state/calls'
import { useServices } from '../../state/services'
import { AlertDialog } from '../../ui/alert-dialog'
import { Badge } from '../../ui/badge'
import { useHere, useOnline } from '../../ui/browser-state'
import { Button } from '../../ui/button'
import { Field, TextInput } from '../../ui/field'
import { FormDialog } from '../../ui/form-dialog'
import { BusyButton, FormNote, useForm } from '../../ui/form'
import { CardActions, PageCard } from '../../ui/page'
import stack from '../../ui/stack.module.css'
import text from '../../ui/text.module.css'
import { AdminAnswer, refusalOf, useTellOperator } from './answer-states'
import { RowIcon } from './audit-page'
import styles from './premium-card.module.css'
import { PremiumSkeleton } from './user-skeleton'

interface PremiumCardProps {
  readonly user: AdminProfile
  readonly asked: Asked<readonly Subscription[]>
  readonly onAsked: () => void
}

/** The subscriptions of an account, and an operator's actions on its Premium. */
export const PremiumCard = ({ user, asked, onAsked }: PremiumCardProps) => (
  <PageCard title="Premium">
    <AdminAnswer asked={asked} failed="Failed to fetch user data." onRetry={onAsked} skeleton={<PremiumSkeleton />}>
      {({ value, pending }) => (
        <>
          <SubscriptionList subscriptions={value} />
          <PremiumActions user={user} subscriptions={value} pending={pending} onAsked={onAsked} />
        </>
      )}
    </AdminAnswer>
  </PageCard>
)

interface PremiumActionsProps {
  readonly user: AdminProfile
  readonly subscriptions: readonly Subscription[]
  /** The page is asking for the subscriptions again. */
  readonly pending: boolean
  /** The server has acted or refused, or nothing answered. */
  readonly onAsked: () => void
}

type Step =
  | { readonly kind: 'resting'; readonly problem: string | null }
  | { readonly kind: 'granting' }
  | { readonly kind: 'confirming' }
  | { readonly kind: 'revoking' }

const NOT_REVOKED = 'Failed to revoke premium access.'
const RESTING: Step = { kind: 'resting', problem: null }

/** Grants Premium for some days, and revokes a grant. */
function PremiumActions({ user, subscriptions, pending, onAsked }: PremiumActionsProps) {
  const online = useOnline()
  const whyId = useId()
  const [step, setStep] = useState<Step>(RESTING)
  const revoke = useRevoke(user, onAsked, setStep)
  const grant = activeGrant(subscriptions)
  const paying = isPaying(subscriptions)
  const rest = () => setStep(RESTING)

  const busy = step.kind === 'revoking'
  const free = online && !busy && !pending
  const canGrant = free && grant === undefined
  const canRevoke = free && grant !== undefined
  return (
    <CardActions className={styles.actions}>
      {step.kind === 'resting' && step.problem !== null && <FormNote tone="error">{step.problem}</FormNote>}
      <p id={whyId} className={text.prose}>
        {whyOf(online, grant)}
      </p>
      <div className={styles.buttons}>
        <Button
          variant="primary"
          icon={Gift}
          aria-haspopup="dialog"
          aria-disabled={!canGrant || undefined}
          aria-describedby={whyId}
          onClick={() => canGrant && setStep({ kind: 'granting' })}
        >
          Grant premium
        </Button>
        <BusyButton
          busy={busy}
          icon={Undo2}
          className={styles.dangerous}
          aria-haspopup="dialog"
          aria-disabled={!canRevoke || undefined}
          aria-describedby={whyId}
          onClick={() => canRevoke && setStep({ kind: 'confirming' })}
        >
          Revoke
        </BusyButton>
      </div>
      {step.kind === 'granting' && <GrantDialog user={user} paying={paying} onAsked={onAsked} onClose={rest} />}
      {step.kind === 'confirming' && (
        <RevokeDialog email={user.email} paying={paying} onRevoke={() => void revoke()} onCancel={rest} />
      )}
    </CardActions>
  )
}

function useRevoke(user: AdminProfile, onAsked: () => void, setStep: (step: Step) => void) {
  const { engine } = useServices()
  const tell = useTellOperator()
  const withFreshSignIn = useFreshSignIn()
  const here = useHere()
  return async () => {
    setStep({ kind: 'revoking' })
    const reply = await withFreshSignIn(() => engine.call('revokePremium', { id: user.id }))
    onAsked()
    if (reply.ok) {
      tell('success', `The grant of ${user.email} is revoked.`)
      setStep(RESTING)
    } else {
      const problem = refusalOf(NOT_REVOKED, reply)
      setStep({ kind: 'resting', problem })
      if (!here.current) tell('error', problem)
    }
  }
}

interface RevokeDialogProps {
  readonly email: string
  readonly paying: boolean
  readonly onRevoke: () => void
  readonly onCancel: () => void
}

const RevokeDialog = ({ email, paying, onRevoke, onCancel }: RevokeDialogProps) => (
  <AlertDialog title="Revoke premium?" action="Revoke" onConfirm={onRevoke} onCancel={onCancel}>
    <p>
      What was granted to {email} ends now.{' '}
      {paying
        ? 'Their own subscription goes on, and Premium with it.'
        : 'They are on the free tier from then on: pairs beyond its limit become inactive, and nothing is deleted.'}
    </p>
  </AlertDialog>
)

function whyOf(online: boolean, grant: Subscription | undefined): string {
  if (!online) return 'Granting and revoking need the network.'
  if (grant === undefined) return 'A grant gives Premium for some days, beside whatever is paid for.'
  return `Granted until ${formatDay(Date.parse(grant.current_period_end))}. Revoke it before you grant anew.`
}

/** Newest first. */
function SubscriptionList({ subscriptions }: { readonly subscriptions: readonly Subscription[] }) {
  if (subscriptions.length === 0) return <p className={text.muted}>Nothing was ever bought or granted.</p>
  return (
    <ul aria-label="Subscriptions" className={stack.gap4}>
      {subscriptions.map((subscription) => {
        const { word, tone } = statusWordOf(subscription)
        const Icon = isManual(subscription.stripe_subscription_id) ? Gift : CreditCard
        return (
          <li key={subscription.id} className={styles.row}>
            <RowIcon icon={Icon} />
            <p className={styles.origin}>
              {originOf(subscription)} <Badge tone={tone}>{word}</Badge>
            </p>
            <p className={styles.period}>{periodOf(subscription)}</p>
            <code className={styles.id}>{subscription.stripe_subscription_id}</code>
          </li>
        )
      })}
    </ul>
  )
}

interface GrantDialogProps {
  readonly user: Pick<AdminProfile, 'id' | 'email'>
  /** True if the user has a subscription that is paid for. */
  readonly paying: boolean
  /** The server has granted or refused, or nothing answered. */
  readonly onAsked: () => void
  readonly onClose: () => void
}

const NOT_GRANTED = 'Failed to grant premium access.'
const USUAL_DAYS = [7, DEFAULT_GRANT_DAYS, 90, 365]

/** Asks for a number of days, and grants Premium for them. */
function GrantDialog({ user, paying, onAsked, onClose }: GrantDialogProps) {
  const { now } = useServices().commands
  const [text, setText] = useState(String(DEFAULT_GRANT_DAYS))
  const days = readDays(text)
  const form = useGrantForm(user, onAsked, onClose)
  return (
    <FormDialog title="Grant premium" form={form} onClose={onClose}>
      <p className={styles.text}>
        <strong>{user.email}</strong> gets Premium at once, free of charge.
        {paying && ' Their own subscription goes on beside it, and is charged as before.'}
      </p>
      <Field
        label="Days"
        error={form.problems.days}
        hint={days === null ? '' : `Until ${formatDay(now() + days * DAY)}`}
      >
        {(control) => (
          <TextInput
            {...control}
            type="number"
            name="days"
            inputMode="numeric"
            min={1}
            max={LONGEST_GRANT_DAYS}
            step={1}
            autoComplete="off"
            readOnly={form.busy}
            data-autofocus
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <div className={styles.usual} role="group" aria-label="Usual lengths">
        {USUAL_DAYS.map((usual) => (
          <Button
            key={usual}
            size="sm"
            aria-pressed={days === usual}
            onClick={() => !form.busy && setText(String(usual))}
          >
            {usual} days
          </Button>
        ))}
      </div>
    </FormDialog>
  )
}

function useGrantForm(user: GrantDialogProps['user'], onAsked: () => void, onClose: () => void) {
  const { engine } = useServices()
  const tell = useTellOperator()
  const here = useHere()
  const withFreshSignIn = useFreshSignIn()
  return useForm(['days'], {
    check: (values) => ({ days: daysProblem(values.days) }),
    send: async (values) => {
      const grant = { id: user.id, duration_days: Number(values.days) }
      const reply = await withFreshSignIn(() => engine.call('grantPremium', grant))
      onAsked()
      if (!reply.ok) {
        const problem = refusalOf(NOT_GRANTED, reply)
        if (!here.current) tell('error', problem)
        return { form: problem }
      }
      const until = formatDay(Date.parse(reply.value.current_period_end))
      tell('success', `${user.email} has Premium until ${until}.`)
      if (here.current) onClose()
      return null
    },
  })
}
