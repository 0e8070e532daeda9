import { useSetAtom, useStore } from 'jotai'
import { CircleAlert, CloudOff, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CallFailure } from '../../db/call'
import { needsConnection } from '../../domain/error-message'
import { accountAtom } from '../../state/account'
import { type Asked, sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { FormNote } from '../../ui/form'
import { formatMoment } from '../../domain/local-time'
import { useOnline } from '../../ui/browser-state'
import styles from './message.module.css'

type Known<T> = Extract<Asked<T>, { readonly kind: 'known' }>

interface AdminAnswerProps<T> {
  readonly asked: Asked<T>
  /** The specification's sentence about a failure, such as "Failed to fetch users." */
  readonly failed: string
  readonly onRetry: () => void
  readonly skeleton: ReactNode
  readonly children: (known: Known<T>) => ReactNode
}

/** The server's answer; until it has come, its skeleton, or why there is none and how to ask again. */
export function AdminAnswer<T>({ asked, failed, onRetry, skeleton, children }: AdminAnswerProps<T>) {
  switch (asked.kind) {
    case 'waiting':
      return skeleton
    case 'failed':
      return <Failure asked={asked} failed={failed} onRetry={onRetry} />
    case 'known':
      return children(asked)
  }
}

interface FailureProps {
  readonly asked: Extract<Asked<unknown>, { readonly kind: 'failed' }>
  readonly failed: string
  readonly onRetry: () => void
}

/** Stands in the place of an answer that has not come, and says how the operator gets it. */
export function Failure({ asked: { failure, pending }, failed, onRetry }: FailureProps) {
  const online = useOnline()
  if (!online) {
    return (
      <Message icon={CloudOff} title={failed} role="alert">
        {OFFLINE}
      </Message>
    )
  }
  const button = (
    <Button aria-disabled={pending || undefined} onClick={() => !pending && onRetry()}>
      Try again
    </Button>
  )
  return (
    <Message icon={CircleAlert} title={failed} role="alert" action={!FINAL.includes(failure.status) && button}>
      {sentenceOf(failure, 'Please try again.')}
    </Message>
  )
}

const OFFLINE = `${needsConnection('The admin area')} Nothing of other people’s accounts is kept on this device. It goes on by itself once you are back.`

/** No such thing, or a request that the server cannot read: asking again does not help. */
const FINAL: readonly number[] = [404, 422]

interface MessageProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly role?: 'alert' | 'status'
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Stands in the place of rows. */
export const Message = ({ icon: Icon, title, role, children, action }: MessageProps) => (
  <div className={styles.message}>
    <Icon aria-hidden="true" className={styles.icon} />
    <div role={role} className={styles.text}>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
    {action}
  </div>
)

interface StaleNoticeProps {
  /** The specification's sentence, such as "Failed to fetch users." */
  readonly failed: string
  /** Failure of the repeated request; null: none. */
  readonly failure: CallFailure | null
  /** Time of the answer that the screen shows; milliseconds. */
  readonly at: number
  readonly onRetry: () => void
}

/** Says that the answer on the screen may be out of date; absent while the page is online and the last request succeeded. */
export function StaleNotice({ failed, failure, at, onRetry }: StaleNoticeProps) {
  const online = useOnline()
  const { commands } = useServices()
  const shown = `This is as of ${formatMoment(at, commands.now())}.`
  if (!online)
    return <FormNote tone="info">You are offline. {shown} Nothing can be changed until you are back.</FormNote>
  if (failure === null) return null
  return (
    <FormNote tone="error">
      <p>
        {failed} {sentenceOf(failure, '')} {shown}
      </p>
      <Button size="sm" className={styles.again} onClick={onRetry}>
        Try again
      </Button>
    </FormNote>
  )
}

/** Shows a toast to the operator who asked, on whichever screen, and not to the next user of this browser. */
export function useTellOperator(): (kind: 'success' | 'error', message: string) => void {
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const [owner] = useState(() => store.get(accountAtom)?.owner)
  return (kind, message) => {
    if (store.get(accountAtom)?.owner === owner) showToast({ kind, message })
  }
}

const UNCERTAIN = 'Nothing answered, so it may have been done all the same. Look again before you repeat it.'

/** Sentence about an action that failed; `failed` is the specification's. */
export const refusalOf = (failed: string, failure: CallFailure): string =>
  `${failed} ${sentenceOf(failure, '', UNCERTAIN)}`.trim()
