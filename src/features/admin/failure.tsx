import { CircleAlert, CloudOff } from 'lucide-react'
import type { AskFailure } from '../../db/account-request'
import { needsConnection } from '../../domain/unreached-words'
import { reasonOf } from '../../state/refusal'
import { Button } from '../../ui/button'
import { useOnline } from '../../ui/use-online'
import { Message } from './message'

interface FailureProps {
  /** The specification's sentence, such as "Failed to fetch users." */
  readonly what: string
  readonly failure: AskFailure
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
      {reasonOf(failure, 'Please try again.')}
    </Message>
  )
}

/** What is not there, or no sensible question, stays so. */
const canHelp = ({ status }: AskFailure): boolean => status !== 404 && status !== 422
