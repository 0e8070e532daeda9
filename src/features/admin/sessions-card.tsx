import { LogOut } from 'lucide-react'
import { useId, useState } from 'react'
import type { AdminProfile } from '../../contract/admin'
import { needsConnection } from '../../domain/error-message'
import { useFreshSignIn } from '../../state/calls'
import { useServices } from '../../state/services'
import { AlertDialog } from '../../ui/alert-dialog'
import { useHere, useOnline } from '../../ui/browser-state'
import { BusyButton, FormNote } from '../../ui/form'
import { PageCard } from '../../ui/page'
import stack from '../../ui/stack.module.css'
import text from '../../ui/text.module.css'
import { refusalOf, useTellOperator } from './answer-states'
import styles from './premium-card.module.css'

interface SessionsCardProps {
  readonly user: Pick<AdminProfile, 'id' | 'email'>
  /** The server has ended the sessions or refused, or nothing answered. */
  readonly onAsked: () => void
}

type Step = { readonly kind: 'resting'; readonly problem: string | null } | { readonly kind: 'confirming' | 'ending' }

const NOT_ENDED = 'Failed to end the sessions.'

/** Logs an account out everywhere, such as for an owner who has lost a device. */
export function SessionsCard({ user, onAsked }: SessionsCardProps) {
  const { engine } = useServices()
  const tell = useTellOperator()
  const withFreshSignIn = useFreshSignIn()
  const online = useOnline()
  const here = useHere()
  const whyId = useId()
  const [step, setStep] = useState<Step>({ kind: 'resting', problem: null })
  const free = online && step.kind === 'resting'

  const end = async () => {
    setStep({ kind: 'ending' })
    const reply = await withFreshSignIn(() => engine.call('endUserSessions', { id: user.id }))
    onAsked()
    const problem = reply.ok ? null : refusalOf(NOT_ENDED, reply)
    setStep({ kind: 'resting', problem })
    if (problem === null) tell('success', `${user.email} is logged out everywhere.`)
    else if (!here.current) tell('error', problem)
  }

  return (
    <PageCard title="Sessions">
      <div className={stack.gap3}>
        {step.kind === 'resting' && step.problem !== null && <FormNote tone="error">{step.problem}</FormNote>}
        <p id={whyId} className={text.prose}>
          {online
            ? 'For an owner who has lost a device, or whose account somebody else uses.'
            : needsConnection('Ending sessions')}
        </p>
        <div className={styles.buttons}>
          <BusyButton
            busy={step.kind === 'ending'}
            icon={LogOut}
            className={styles.dangerous}
            aria-haspopup="dialog"
            aria-disabled={!free || undefined}
            aria-describedby={whyId}
            onClick={() => free && setStep({ kind: 'confirming' })}
          >
            End all sessions
          </BusyButton>
        </div>
      </div>
      {step.kind === 'confirming' && (
        <AlertDialog
          title="End all sessions?"
          action="End all sessions"
          onConfirm={() => void end()}
          onCancel={() => setStep({ kind: 'resting', problem: null })}
        >
          {user.email} is logged out on every device, and gets no notifications there until the next login. Password and
          passkeys stay: if somebody else knows them, the owner has to reset the password as well.
        </AlertDialog>
      )}
    </PageCard>
  )
}
