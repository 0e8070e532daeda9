import { needsConnection } from '../../domain/error-message'
import { type Asked, sentenceOf } from '../../state/calls'
import { useOnline } from '../../ui/browser-state'
import { Button } from '../../ui/button'
import { Skeleton } from '../../ui/skeleton'
import stack from '../../ui/stack.module.css'
import styles from './settings-page.module.css'

/** Stands in the place of a list until the server has answered. @param what such as "devices" */
export const ListPlaceholder = ({ what }: { readonly what: string }) => (
  <div aria-busy="true" aria-label={`Loading ${what}`} role="status" className={stack.gap4}>
    <Skeleton height="2.5rem" />
    <Skeleton height="2.5rem" />
  </div>
)

interface ListFailedProps {
  /** Such as "devices". */
  readonly what: string
  readonly asked: Extract<Asked<unknown>, { kind: 'failed' }>
  readonly onRetry: () => void
}

/** Stands in the place of a list that has not come. */
export function ListFailed({ what, asked: { failure, pending }, onRetry }: ListFailedProps) {
  const online = useOnline()
  return (
    <div className={styles.row}>
      <p role="alert" className={styles.text}>
        {online
          ? `Failed to load your ${what}. ${sentenceOf(failure, 'Please try again.')}`
          : `${needsConnection(`The list of your ${what}`)} It comes by itself once you are back.`}
      </p>
      {online && (
        <Button aria-disabled={pending || undefined} onClick={() => !pending && onRetry()}>
          Try again
        </Button>
      )}
    </div>
  )
}
