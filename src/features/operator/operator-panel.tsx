import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { Check, ChevronDown, Gauge, RefreshCw, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { Overview } from '../../contract/admin'
import { storeMeta } from '../../db/write-transaction'
import { readMeta } from '../../db/database'
import { accountAtom } from '../../state/account'
import { useServices } from '../../state/services'
import { type Asked, useAnswer } from '../../state/calls'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { concerns } from '../../domain/concerns'
import { formatMoment } from '../../domain/local-time'
import { PasskeyNotice } from '../../ui/form'
import { useOnline, usePageVisible } from '../../ui/browser-state'
import { OperatorFigures } from './operator-figures'
import styles from './operator-panel.module.css'

/** Figures of the server and of this device for operators; the device remembers whether the panel is open. */
export function OperatorPanel() {
  const { db, now } = useServices().commands
  const open = useLiveQuery(async () => (await readMeta(db, 'operator_panel'))?.open ?? true, [db])
  const [asked, again] = useOverview()
  const online = useOnline()
  const account = useAtomValue(accountAtom)
  const bodyId = useId()
  const found = asked.kind === 'known' ? concerns(asked.value) : undefined
  // Figures of an hour ago may not hold now.
  const isPresent = online && asked.kind === 'known' && asked.failure === null
  const toggle = () => void storeMeta(db, 'operator_panel', { open: open !== true }).catch(reportError)
  return (
    <section className={styles.panel} aria-label="Operations">
      <header className={styles.header}>
        <h2 className={styles.heading}>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={open === true}
            aria-controls={bodyId}
            onClick={toggle}
          >
            <Gauge aria-hidden="true" />
            Operations
            <ChevronDown aria-hidden="true" className={styles.chevron} />
          </button>
        </h2>
        <div role="status">{found !== undefined && isPresent && <Verdict count={found.length} />}</div>
        <p className={styles.standing}>{standing(asked, online, now())}</p>
        <IconButton label="Refresh figures" icon={RefreshCw} size="sm" aria-busy={isPending(asked)} onClick={again} />
      </header>
      <div id={bodyId} hidden={open !== true}>
        {account?.user?.has_passkeys === false && <PasskeyNotice />}
        {found !== undefined && found.length > 0 && (
          <ul className={styles.concerns}>
            {found.map(({ kind, sentence }) => (
              <li key={kind}>
                <TriangleAlert aria-hidden="true" />
                {sentence}
              </li>
            ))}
          </ul>
        )}
        {open === true && <OperatorFigures asked={asked} onRetry={again} />}
      </div>
    </section>
  )
}

const isPending = (asked: ReturnType<typeof useOverview>[0]) => asked.kind === 'waiting' || asked.pending

/** Shown while the panel is folded, too. */
function Verdict({ count }: { readonly count: number }) {
  if (count > 0) return <Badge tone="warn">{count} to look at</Badge>
  return (
    <Badge>
      <Check aria-hidden="true" />
      All well
    </Badge>
  )
}

/** How new the server's figures are, and why they are no newer. `now` in milliseconds. */
function standing(asked: Asked<unknown>, online: boolean, now: number): string {
  switch (asked.kind) {
    case 'waiting':
      return 'Loading…'
    case 'failed':
      return online && asked.failure.status !== 0 ? 'Not available' : 'Offline'
    case 'known': {
      const moment = formatMoment(asked.at, now)
      if (!online || asked.failure?.status === 0) return `Offline: figures of ${moment}`
      return asked.failure === null ? `Updated ${moment}` : `${asked.failure.message} Figures of ${moment}`
    }
  }
}

/** Milliseconds after which a visible panel asks for its figures again. */
const REFRESH = 30_000

/** The server's figures, kept fresh while the page is visible; the second of the pair asks for them now. */
function useOverview(): readonly [Asked<Overview>, () => void] {
  const { commands } = useServices()
  const [asked, again] = useAnswer('overview', {})
  const visible = usePageVisible()
  const online = useOnline()
  const looking = visible && online
  const at = asked.kind === 'known' ? asked.at : undefined
  const isOld = useRef((): boolean => false)
  useEffect(() => {
    isOld.current = () => at !== undefined && commands.now() - at >= REFRESH
  })

  useEffect(() => {
    if (!looking) return undefined
    if (isOld.current()) again()
    const timer = setInterval(again, REFRESH)
    return () => clearInterval(timer)
  }, [looking, again])
  return [asked, again]
}
