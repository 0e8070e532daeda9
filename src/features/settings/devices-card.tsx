import { useAtomValue, useSetAtom } from 'jotai'
import { Bell, LogOut, Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { Device } from '../../contract/device'
import { needsConnection } from '../../domain/error-message'
import { accountAtom } from '../../state/account'
import { sentenceOf, useAccountAnswer, useTellAccountChanged } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'
import { Badge } from '../../ui/badge'
import { BusyButton } from '../../ui/form'
import { formatShortDateTime } from '../../domain/local-time'
import { CardActions, ListIcon, PageCard } from '../../ui/page'
import { useOnline } from '../../ui/browser-state'
import stack from '../../ui/stack.module.css'
import { ListFailed, ListPlaceholder } from './card-answer'
import styles from './devices-card.module.css'
import settingsStyles from './settings-page.module.css'

/** The browsers in which the account is signed in, each with a button that logs it out. Absent for guests. */
export function DevicesCard() {
  const account = useAtomValue(accountAtom)
  if (account === undefined || account.user === null || account.expired) return null
  return (
    <PageCard title="Devices">
      {/* The card asks again for another user's devices. */}
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
  const [asked, again] = useAccountAnswer('devices', {})
  const tellAccountChanged = useTellAccountChanged()
  const [step, setStep] = useState<Step | null>(null)

  const end = async (device: Device | null) => {
    setStep({ kind: 'ending', device })
    const reply = await (device === null
      ? engine.call('endOtherSessions', {})
      : engine.call('endSession', { id: device.id }))
    setStep(null)
    tellAccountChanged()
    if (!reply.ok) showToast({ kind: 'error', message: `Failed to log out. ${sentenceOf(reply, 'Please try again.')}` })
    else if (device === null) showToast({ kind: 'success', message: 'You are logged out everywhere else.' })
    else showToast({ kind: 'success', message: `${nameOf(device)} is logged out.` })
  }

  if (asked.kind === 'waiting') return <ListPlaceholder what="devices" />
  if (asked.kind === 'failed') return <ListFailed what="devices" asked={asked} onRetry={again} />
  const others = asked.value.filter(({ is_current }) => !is_current)
  const free = online && step === null
  const endingAll = step?.kind === 'ending' && step.device === null
  return (
    <>
      <ul aria-label="Devices" className={stack.gap4}>
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
      <CardActions className={settingsStyles.row}>
        <p className={settingsStyles.text}>{hint(online, others.length)}</p>
        {others.length > 0 && (
          <BusyButton
            busy={endingAll}
            className={settingsStyles.dangerous}
            icon={LogOut}
            aria-haspopup="dialog"
            aria-disabled={!free || undefined}
            onClick={() => free && setStep({ kind: 'confirming', device: null })}
          >
            Log out everywhere else
          </BusyButton>
        )}
      </CardActions>
      {step?.kind === 'confirming' && (
        <EndDialog device={step.device} onEnd={() => void end(step.device)} onCancel={() => setStep(null)} />
      )}
    </>
  )
}

interface EndDialogProps {
  /** Null: all other devices. */
  readonly device: Device | null
  readonly onEnd: () => void
  readonly onCancel: () => void
}

const EndDialog = ({ device, onEnd, onCancel }: EndDialogProps) => (
  <AlertDialog
    title={device === null ? 'Log out everywhere else?' : `Log out ${nameOf(device)}?`}
    action="Log out"
    onConfirm={onEnd}
    onCancel={onCancel}
  >
    {device === null
      ? 'All other devices are logged out and get no more notifications. Changes that wait there are sent after the next login.'
      : 'It gets no more notifications. Changes that wait there are sent after the next login.'}
  </AlertDialog>
)

function hint(online: boolean, others: number): string {
  if (!online) return needsConnection('Logging out other devices')
  return others === 0
    ? 'You are logged in on this device only.'
    : 'Do you not know one of them? Log it out, and choose a new password.'
}

interface DeviceRowProps {
  readonly device: Device
  /** Milliseconds. */
  readonly now: number
  /** The user may log the device out now. */
  readonly free: boolean
  /** The server is logging the device out. */
  readonly ending: boolean
  readonly onEnd: () => void
}

/** One browser that is signed in; the menu logs out the one in use. */
function DeviceRow({ device, now, free, ending, onEnd }: DeviceRowProps) {
  // A device that is held in the hand, by the name of its system.
  const Icon = /\b(Android|iPhone|iPad)$/.test(device.label ?? '') ? Smartphone : Monitor
  return (
    <li className={styles.row}>
      <ListIcon icon={Icon} className={styles.icon} />
      <p className={styles.name}>
        {nameOf(device)} {device.is_current && <Badge tone="accent">This device</Badge>}
      </p>
      <p className={styles.facts}>
        {device.is_current ? 'In use now' : `Last used ${formatShortDateTime(Date.parse(device.last_seen_at), now)}`}
        {device.gets_push && (
          <span className={styles.push}>
            <Bell aria-hidden="true" /> Gets notifications
          </span>
        )}
        {device.unshown !== undefined && (
          <span className={styles.unshown}>
            Has not shown the last {device.unshown} alerts. Open the app there and check its notifications.
          </span>
        )}
      </p>
      {!device.is_current && (
        <BusyButton
          busy={ending}
          size="sm"
          className={styles.end}
          icon={LogOut}
          aria-label={`Log out ${nameOf(device)}`}
          aria-haspopup="dialog"
          aria-disabled={!free || undefined}
          onClick={() => free && onEnd()}
        >
          Log out
        </BusyButton>
      )}
    </li>
  )
}

const nameOf = ({ label }: Device): string => label ?? 'Unknown browser'
