import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import type { Overview } from '../../contract/admin'
import { type DeviceFacts, readDeviceFacts } from '../../db/local-data'
import { withDecimals } from '../../domain/format-number'
import { formatAge } from '../../domain/format-time'
import { type Asked, sentenceOf } from '../../state/calls'
import { boardAtom, nowAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { Button } from '../../ui/button'
import { formatBytes, type StorageFacts, useStorageFacts, useWorkerLine } from '../../ui/device-facts'
import { Skeleton } from '../../ui/skeleton'
import { FigureCard } from './figure-card'
import styles from './operator-figures.module.css'
import { type FigureGroup, serverGroups } from './server-groups'

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
          <p>{sentenceOf(asked.failure, 'Please try again.')}</p>
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )
  }
}

/** Facts about this browser. */
function DeviceCard({ facts }: { readonly facts: DeviceFacts | undefined }) {
  const group = deviceGroup({
    waiting: useAtomValue(boardAtom)?.changes.filter(({ state }) => state !== 'failed').length,
    facts,
    storage: useStorageFacts(),
    engine: useWorkerLine(),
    now: useAtomValue(nowAtom),
  })
  return <FigureCard group={group} />
}

interface DeviceReading {
  /** Changes that the server has not answered; undefined: not read yet. */
  readonly waiting: number | undefined
  readonly facts: DeviceFacts | undefined
  readonly storage: StorageFacts | undefined
  /** Host of the engine, in words. */
  readonly engine: string | undefined
  /** Milliseconds. */
  readonly now: number
}

const UNKNOWN = '–'

const bytes = (count: number | null | undefined): string => (count == null ? UNKNOWN : formatBytes(count))

/** Facts about this browser, as far as it has told them. */
function deviceGroup({ waiting, facts, storage, engine, now }: DeviceReading): FigureGroup {
  const pulledAt = facts?.pulledAt ?? null
  return {
    title: 'This device',
    main: { name: 'Waiting changes', value: waiting === undefined ? UNKNOWN : withDecimals(waiting, 0) },
    facts: [
      { name: 'Last pull', value: pulledAt === null ? UNKNOWN : formatAge(now - pulledAt) },
      { name: 'Stored', value: bytes(storage?.used) },
      { name: 'Room', value: bytes(storage?.quota) },
      { name: 'Engine', value: engine ?? UNKNOWN },
    ],
  }
}

/** How much stands in each table of this browser. */
function TableRows({ rows }: Pick<DeviceFacts, 'rows'>) {
  return (
    <section className={styles.strip} aria-label="Rows on this device">
      <h3 className={styles.title}>Rows on this device</h3>
      <dl className={styles.rows}>
        {rows.map(([table, count]) => (
          <div key={table} className={styles.row}>
            <dt>{table.replaceAll('_', ' ')}</dt>
            <dd className={styles.count}>{withDecimals(count, 0)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
