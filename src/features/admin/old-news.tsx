import type { AskFailure } from '../../db/account-request'
import { reasonOf } from '../../state/refusal'
import { useServices } from '../../state/services'
import { Button } from '../../ui/button'
import { FormNote } from '../../ui/form-note'
import { formatMoment } from '../../ui/moment'
import { useOnline } from '../../ui/use-online'
import styles from './old-news.module.css'

interface OldNewsProps {
  /** The specification's sentence, such as "Failed to fetch users." */
  readonly what: string
  /** What came of asking again; null: nothing went wrong. */
  readonly failure: AskFailure | null
  /** When what is shown was answered; milliseconds. */
  readonly at: number
  readonly onRetry: () => void
}

/** Says of what is shown that it may no longer be so; absent while there is no reason to think so. */
export function OldNews({ what, failure, at, onRetry }: OldNewsProps) {
  const online = useOnline()
  const { commands } = useServices()
  const shown = `This is as of ${formatMoment(at, commands.now())}.`
  if (!online)
    return <FormNote tone="info">You are offline. {shown} Nothing can be changed until you are back.</FormNote>
  if (failure === null) return null
  return (
    <FormNote tone="error">
      <p>
        {what} {reasonOf(failure, '')} {shown}
      </p>
      <Button size="sm" className={styles.again} onClick={onRetry}>
        Try again
      </Button>
    </FormNote>
  )
}
