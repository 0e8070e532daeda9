import { useAtomValue, useSetAtom } from 'jotai'
import { CloudOff, RefreshCw, TriangleAlert } from 'lucide-react'
import type { MetaRows } from '../../db/rows'
import type { ChangeView } from '../../db/view'
import { boardAtom, nowAtom, syncStateAtom } from '../../state/live-data'
import { updateOfferAtom } from '../../state/services'
import { openDialogAtom } from '../../state/open-dialogs'
import { formatMoment } from '../../ui/format-time'
import { useOnline } from '../../ui/browser-state'
import styles from './sync-line.module.css'

/** One quiet line at the edge of the screen, only while the connection, a change or the app's version asks for one. */
export function SyncLine() {
  const openDialog = useSetAtom(openDialogAtom)
  const openChanges = () => openDialog({ kind: 'changes' })
  const update = useAtomValue(updateOfferAtom)
  const { offline, waiting, refused } = syncStatus({
    online: useOnline(),
    sync: useAtomValue(syncStateAtom),
    changes: useAtomValue(boardAtom)?.changes ?? [],
    now: useAtomValue(nowAtom),
  })
  const isShown = offline || waiting !== null || refused !== null || update !== null
  return (
    <div aria-live="polite">
      {isShown && (
        <div className={styles.line}>
          {offline && (
            <span className={styles.state}>
              <CloudOff aria-hidden="true" />
              Offline
            </span>
          )}
          {waiting !== null && (
            <button type="button" className={styles.action} onClick={openChanges}>
              {waiting}
            </button>
          )}
          {refused !== null && (
            <button type="button" className={styles.action} onClick={openChanges}>
              <TriangleAlert aria-hidden="true" />
              {refused}
            </button>
          )}
          {update !== null && (
            <span className={styles.offer}>
              A new version is ready
              <button type="button" className={styles.action} onClick={update.accept}>
                <RefreshCw aria-hidden="true" />
                Reload
              </button>
            </span>
          )}
        </div>
      )}
    </div>
  )
}

/** Milliseconds for which a change may wait unmentioned while online: longer than the layout's debounce. */
const UNMENTIONED_MS = 10_000

interface SyncFacts {
  /** The browser's `navigator.onLine`. */
  readonly online: boolean
  readonly sync: MetaRows['sync_state'] | undefined
  readonly changes: readonly ChangeView[]
  /** Milliseconds. */
  readonly now: number
}

const count = (n: number, one: string, many: string) => (n === 1 ? `1 change ${one}` : `${n} changes ${many}`)

/**
 * The network, and the mutations that wait for it.
 * @returns waiting such as "3 changes wait since 10:42", refused such as "1 change was refused"; null: none to mention
 */
export function syncStatus({ online, sync, changes, now }: SyncFacts) {
  const offline = !online || sync?.unreachable_since != null
  const failed = changes.filter((change) => change.state === 'failed').length
  const waiting = changes.filter((change) => change.state !== 'failed')
  const since = Math.min(...waiting.map((change) => change.since))
  const isMentioned = waiting.length > 0 && (offline || now - since > UNMENTIONED_MS)
  return {
    offline,
    waiting: isMentioned ? `${count(waiting.length, 'waits', 'wait')} since ${formatMoment(since, now)}` : null,
    refused: failed > 0 ? count(failed, 'was refused', 'were refused') : null,
  }
}
