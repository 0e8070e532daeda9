import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { useId } from 'react'
import type { Overview } from '../../contract/admin'
import { type DeviceFacts, readDeviceFacts } from '../../db/local-data'
import type { Budget } from '../../domain/concerns'
import { formatBytes } from '../../domain/format-bytes'
import { withDecimals } from '../../domain/format-number'
import { formatAge } from '../../domain/format-time'
import { type Asked, sentenceOf } from '../../state/calls'
import { boardAtom, nowAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { Button } from '../../ui/button'
import { type StorageFacts, useStorageFacts, useWorkerLine } from '../../ui/device-facts'
import { Facts } from '../../ui/facts'
import text from '../../ui/text.module.css'
import { Skeleton } from '../../ui/skeleton'
import styles from './operator-figures.module.css'
import { type FigureGroup, serverGroups } from './server-groups'

interface OperatorFiguresProps {
  readonly asked: Asked<Overview>
  readonly onRetry: () => void
}

/** The figures by subject: the server's, and this device's, which need no network. */
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

/** As many as the server's subjects. */
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

/** Facts about this browser, as far as they have been read. */
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

const TableRows = ({ rows }: Pick<DeviceFacts, 'rows'>) => (
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

/** One subject: its main figure, large, and the others below it. */
function FigureCard({ group: { title, main, facts, budget } }: { readonly group: FigureGroup }) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h3 id={id} className={text.quiet}>
        {title}
      </h3>
      <dl className={styles.main}>
        <dt className={text.quiet}>{main.name}</dt>
        <dd className={styles.value}>{main.value}</dd>
      </dl>
      <Facts dense facts={facts} />
      {budget !== undefined && <BudgetMeter budget={budget} />}
    </section>
  )
}

const percent = (share: number) => `${Math.round(Math.min(1, share) * 100)}%`

/** How much of the month's calls is used, against a mark for how much of the month is gone. */
function BudgetMeter({ budget: { used, gone } }: { readonly budget: Budget }) {
  const words = `${percent(used)} of the calls used, ${percent(gone)} of the month gone`
  return (
    <div className={styles.meter} role="img" aria-label={words} title={words}>
      <span className={styles.used} data-full={used >= 1} style={{ width: percent(used) }} />
      <span className={styles.gone} style={{ left: percent(gone) }} />
    </div>
  )
}
