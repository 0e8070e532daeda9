import { useAtomValue, useSetAtom } from 'jotai'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import type { Device } from '../../contract/device'
import { needsConnection } from '../../domain/unreached-words'
import { accountAtom } from '../../state/account'
import { reasonOf } from '../../state/refusal'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { type Asked, useAnswer } from '../../state/use-answer'
import { AlertDialog } from '../../ui/alert-dialog'
import { BusyButton } from '../../ui/busy-button'
import { Button } from '../../ui/button'
import { PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import { useOnline } from '../../ui/use-online'
import { DeviceRow } from './device-row'
import { nameOf } from './device-words'
import styles from './devices-card.module.css'
import settingsStyles from './settings-page.module.css'

/** The browsers in which the account is signed in, and the way to sign them out. Absent for guests. */
export function DevicesCard() {
  const account = useAtomValue(accountAtom)
  if (account === undefined || account.user === null || account.expired) return null
  return (
    <PageCard title="Devices">
      {/* Another person's devices are asked for anew. */}
      <Devices key={account.owner} />
    </PageCard>
  )
}

/** Device that the user is asked about, or waits for; null stands for all other devices. */
type Step = { readonly kind: 'confirming' | 'ending'; readonly device: Device | null }

function Devices() {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const online = useOnline()
  const [asked, again] = useAnswer({ kind: 'devices' })
  const [step, setStep] = useState<Step | null>(null)

  const end = async (device: Device | null) => {
    setStep({ kind: 'ending', device })
    const reply = await engine.ask(
      device === null ? { kind: 'end-other-sessions' } : { kind: 'end-session', id: device.id },
    )
    setStep(null)
    again()
    if (reply.ok) showToast({ type: 'success', message: doneWords(device) })
    else showToast({ type: 'error', message: `${FAILED} ${reasonOf(reply, 'Please try again.')}` })
  }

  if (asked.kind === 'waiting') return <Placeholder />
  if (asked.kind === 'failed') return <Failed asked={asked} online={online} onRetry={again} />
  const others = asked.value.filter(({ is_current }) => !is_current)
  const free = online && step === null
  const endingAll = step?.kind === 'ending' && step.device === null
  return (
    <>
      <ul aria-label="Devices" className={styles.list}>
        {asked.value.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            now={asked.at}
            free={free}
            ending={step?.kind === 'ending' && step.device?.id === device.id}
            onEnd={() => setStep({ kind: 'confirming', device })}
          />
        ))}
      </ul>
      <div className={settingsStyles.more}>
        <p className={settingsStyles.text}>{hint(online, others.length)}</p>
        {others.length > 0 && (
          <BusyButton
            busy={endingAll}
            className={settingsStyles.dangerous}
            icon={<LogOut aria-hidden="true" />}
            aria-haspopup="dialog"
            aria-disabled={!free || undefined}
            onClick={() => free && setStep({ kind: 'confirming', device: null })}
          >
            Log out everywhere else
          </BusyButton>
        )}
      </div>
      {step?.kind === 'confirming' && (
        <AlertDialog
          title={step.device === null ? 'Log out everywhere else?' : `Log out ${nameOf(step.device)}?`}
          action="Log out"
          onConfirm={() => void end(step.device)}
          onCancel={() => setStep(null)}
        >
          {step.device === null
            ? 'All other devices are logged out and get no more notifications. Changes that wait there are sent after the next login.'
            : 'It gets no more notifications. Changes that wait there are sent after the next login.'}
        </AlertDialog>
      )}
    </>
  )
}

const FAILED = 'Failed to log out.'

const doneWords = (device: Device | null): string =>
  device === null ? 'You are logged out everywhere else.' : `${nameOf(device)} is logged out.`

function hint(online: boolean, others: number): string {
  if (!online) return needsConnection('Logging out other devices')
  return others === 0 ? 'You are logged in on this device only.' : 'Do you not know one of them? Log it out, and choose a new password.' // prettier-ignore
}

const Placeholder = () => (
  <div aria-busy="true" aria-label="Loading devices" role="status" className={styles.list}>
    <Skeleton height="2.5rem" />
    <Skeleton height="2.5rem" />
  </div>
)

interface FailedProps {
  readonly asked: Extract<Asked<unknown>, { kind: 'failed' }>
  readonly online: boolean
  readonly onRetry: () => void
}

const Failed = ({ asked: { failure, pending }, online, onRetry }: FailedProps) => (
  <div className={settingsStyles.row}>
    <p role="alert" className={settingsStyles.text}>
      {online
        ? `Failed to load your devices. ${reasonOf(failure, 'Please try again.')}`
        : `${needsConnection('The list of your devices')} It comes by itself once you are back.`}
    </p>
    {online && (
      <Button aria-disabled={pending || undefined} onClick={() => !pending && onRetry()}>
        Try again
      </Button>
    )}
  </div>
)
