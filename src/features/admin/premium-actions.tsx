import { Gift, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { AdminProfile } from '../../contract/admin'
import type { Subscription } from '../../contract/billing'
import { useServices } from '../../state/services'
import { useFreshSignIn } from '../../state/use-fresh-sign-in'
import { AlertDialog } from '../../ui/alert-dialog'
import { BusyButton } from '../../ui/busy-button'
import { Button } from '../../ui/button'
import { FormNote } from '../../ui/form-note'
import { formatDay } from '../../ui/moment'
import { useHere } from '../../ui/use-here'
import { useOnline } from '../../ui/use-online'
import { refusalOf } from './action-words'
import { GrantDialog } from './grant-dialog'
import styles from './premium-actions.module.css'
import { activeGrant, isPaying } from './subscription-words'
import { useTellOperator } from './use-tell-operator'

interface PremiumActionsProps {
  readonly user: AdminProfile
  readonly subscriptions: readonly Subscription[]
  /** They are being asked for again. */
  readonly pending: boolean
  /** Something was asked for, whatever came of it. */
  readonly onAsked: () => void
}

type Step =
  | { readonly kind: 'resting'; readonly problem: string | null }
  | { readonly kind: 'granting' }
  | { readonly kind: 'confirming' }
  | { readonly kind: 'revoking' }

const FAILED = 'Failed to revoke premium access.'
const RESTING: Step = { kind: 'resting', problem: null }

/** Gives Premium for some days, and takes back what was given so. */
export function PremiumActions({ user, subscriptions, pending, onAsked }: PremiumActionsProps) {
  const { engine } = useServices()
  const tell = useTellOperator()
  const withFreshSignIn = useFreshSignIn()
  const here = useHere()
  const online = useOnline()
  const whyId = useId()
  const [step, setStep] = useState<Step>(RESTING)
  const grant = activeGrant(subscriptions)
  const paying = isPaying(subscriptions)
  const rest = () => setStep(RESTING)

  const revoke = async () => {
    setStep({ kind: 'revoking' })
    const reply = await withFreshSignIn(() => engine.ask({ kind: 'revoke-premium', user: user.id }))
    onAsked()
    if (reply.ok) {
      tell('success', `The grant of ${user.email} is revoked.`)
      rest()
    } else {
      const problem = refusalOf(FAILED, reply)
      setStep({ kind: 'resting', problem })
      if (!here.current) tell('error', problem)
    }
  }

  const busy = step.kind === 'revoking'
  const free = online && !busy && !pending
  const canGrant = free && grant === undefined
  const canRevoke = free && grant !== undefined
  return (
    <div className={styles.actions}>
      {step.kind === 'resting' && step.problem !== null && <FormNote tone="error">{step.problem}</FormNote>}
      <p id={whyId} className={styles.text}>
        {whyOf(online, grant)}
      </p>
      <div className={styles.buttons}>
        <Button
          variant="primary"
          icon={<Gift aria-hidden="true" />}
          aria-haspopup="dialog"
          aria-disabled={!canGrant || undefined}
          aria-describedby={whyId}
          onClick={() => canGrant && setStep({ kind: 'granting' })}
        >
          Grant premium
        </Button>
        <BusyButton
          busy={busy}
          icon={<Undo2 aria-hidden="true" />}
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
        <AlertDialog title="Revoke premium?" action="Revoke" onConfirm={() => void revoke()} onCancel={rest}>
          <p>
            What was granted to {user.email} ends now.{' '}
            {paying
              ? 'Their own subscription goes on, and Premium with it.'
              : 'They are on the free tier from then on: pairs beyond its limit become inactive, and nothing is deleted.'}
          </p>
        </AlertDialog>
      )}
    </div>
  )
}

function whyOf(online: boolean, grant: Subscription | undefined): string {
  if (!online) return 'Granting and revoking need the network.'
  if (grant === undefined) return 'A grant gives Premium for some days, beside whatever is paid for.'
  return `Granted until ${formatDay(Date.parse(grant.current_period_end))}. Revoke it before you grant anew.`
}
