import { useLiveQuery } from 'dexie-react-hooks'
import type { Overview } from '../../contract/admin'
import { readDeviceFacts } from '../../db/queries/device-facts'
import { reasonOf } from '../../state/refusal'
import { useServices } from '../../state/services'
import type { Asked } from '../../state/use-answer'
import { Button } from '../../ui/button'
import { Skeleton } from '../../ui/skeleton'
import { DeviceCard } from './device-card'
import { FigureCard } from './figure-card'
import styles from './operator-figures.module.css'
import { serverGroups } from './server-groups'
import { TableRows } from './table-rows'

interface OperatorFiguresProps {
  readonly asked: Asked<Overview>
  readonly onRetry: () => void
}

/** The figures, subject by subject: the server's, and this device's, which need no network. */
export function OperatorFigures({ asked, onRetry }: OperatorFiguresProps) {
  const { db } = useServices().commands
  const facts = useLiveQuery(() => readDeviceFacts(db), [db])
  return (
    <>
      <div className={styles.grid}>
        <ServerCards asked={asked} onRetry={onRetry} />
        <DeviceCard facts={facts} />
      </div>
      <TableRows rows={facts?.rows ?? []} />
    </>
  )
}

/** As many as the server has something to say of. */
const SUBJECTS = [0, 1, 2, 3, 4, 5]

function ServerCards({ asked, onRetry }: OperatorFiguresProps) {
  switch (asked.kind) {
    case 'known':
      return serverGroups(asked.value).map((group) => <FigureCard key={group.title} group={group} />)
    case 'waiting':
      return (
        <>
          {SUBJECTS.map((subject) => (
            <div key={subject} className={styles.coming} aria-hidden="true">
              <Skeleton width="45%" />
              <Skeleton width="70%" height="2.75rem" />
              <Skeleton height="5.5rem" />
            </div>
          ))}
        </>
      )
    case 'failed':
      return (
        <div className={styles.instead}>
          <p className={styles.problem}>The figures of the server could not be loaded.</p>
          <p>{reasonOf(asked.failure, 'Please try again.')}</p>
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )
  }
}
