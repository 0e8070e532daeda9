import { CircleAlert, CloudOff, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CallFailure } from '../../db/call'
import { needsConnection } from '../../domain/error-message'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { Button } from '../../ui/button'
import { FormNote } from '../../ui/form'
import { formatMoment } from '../../ui/format-time'
import { useOnline } from '../../ui/browser-state'
import styles from './message.module.css'
import { useSetAtom, useStore } from 'jotai'
import { accountAtom } from '../../state/account'
import { showToastAtom } from '../../state/toasts'

interface FailureProps {
  /** The specification's sentence, such as "Failed to fetch users." */
  readonly what: string
  readonly failure: CallFailure
  /** It is being asked again. */
  readonly pending: boolean
  readonly onRetry: () => void
}

const OFFLINE = `${needsConnection('The admin area')} Nothing of other people’s accounts is kept on this device. It goes on by itself once you are back.`

/** Stands in the place of what could not be had, and says what can be done. */
export function Failure({ what, failure, pending, onRetry }: FailureProps) {
  const online = useOnline()
  if (!online) {
    return (
      <Message icon={CloudOff} title={what} role="alert">
        {OFFLINE}
      </Message>
    )
  }
  return (
    <Message
      icon={CircleAlert}
      title={what}
      role="alert"
      action={
        canHelp(failure) && (
          <Button aria-disabled={pending || undefined} onClick={() => !pending && onRetry()}>
            Try again
          </Button>
        )
      }
    >
      {sentenceOf(failure, 'Please try again.')}
    </Message>
  )
}

/** A 404 or 400 stays so: asking again does not help. */
const canHelp = ({ status }: CallFailure): boolean => status !== 404 && status !== 422

interface MessageProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly role?: 'alert' | 'status'
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Stands in the place of rows: that there are none, or why. */
export function Message({ icon: Icon, title, role, children, action }: MessageProps) {
  return (
    <div className={styles.message}>
      <Icon aria-hidden="true" className={styles.icon} />
      <div role={role} className={styles.text}>
        <p className={styles.title}>{title}</p>
        {children !== undefined && <p>{children}</p>}
      </div>
      {action}
    </div>
  )
}

interface StaleNoticeProps {
  /** The specification's sentence, such as "Failed to fetch users." */
  readonly what: string
  /** Failure of the repeated request; null: none. */
  readonly failure: CallFailure | null
  /** When what is shown was answered; milliseconds. */
  readonly at: number
  readonly onRetry: () => void
}

/** Says of what is shown that it may no longer be so; absent while there is no reason to think so. */
export function StaleNotice({ what, failure, at, onRetry }: StaleNoticeProps) {
  const online = useOnline()
  const { commands } = useServices()
  const shown = `This is as of ${formatMoment(at, commands.now())}.`
  if (!online)
    return <FormNote tone="info">You are offline. {shown} Nothing can be changed until you are back.</FormNote>
  if (failure === null) return null
  return (
    <FormNote tone="error">
      <p>
        {what} {sentenceOf(failure, '')} {shown}
      </p>
      <Button size="sm" className={styles.again} onClick={onRetry}>
        Try again
      </Button>
    </FormNote>
  )
}

/** Says something by a toast to the operator who asked, also where they look elsewhere by now, and to nobody after them. */
export function useTellOperator(): (kind: 'success' | 'error', message: string) => void {
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const [owner] = useState(() => store.get(accountAtom)?.owner)
  return (kind, message) => {
    if (store.get(accountAtom)?.owner === owner) showToast({ kind, message })
  }
}
