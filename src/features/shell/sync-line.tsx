import { useAtomValue, useSetAtom } from 'jotai'
import { CloudOff, RefreshCw, TriangleAlert } from 'lucide-react'
import type { MetaRows } from '../../db/rows'
import type { ChangeView } from '../../db/view'
import { boardAtom, nowAtom, syncStateAtom } from '../../state/live-data'
import { updateOfferAtom } from '../../state/services'
import { openOverlayAtom } from '../../state/overlays'
import { formatMoment } from '../../ui/format-time'
import { useOnline } from '../../ui/browser-state'
import styles from './sync-line.module.css'

/** One quiet line at the edge of the screen, there only while there is something to say. */
export function SyncLine() {
  const openOverlay = useSetAtom(openOverlayAtom)
  const openChanges = () => openOverlay({ kind: 'changes' })
  const update = useAtomValue(updateOfferAtom)
  const { offline, waiting, refused } = syncStatus({
    online: useOnline(),
    sync: useAtomValue(syncStateAtom),
    changes: useAtomValue(boardAtom)?.changes ?? [],
    now: useAtomValue(nowAtom),
  })
  const speaks = offline || waiting !== null || refused !== null || update !== null
  return (
    <div aria-live="polite">
      {speaks && (
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

/** Milliseconds a change may wait while all is well before it is worth a word: longer than the layout's debounce. */
const WORTH_A_WORD = 10_000

interface SyncStatus {
  readonly offline: boolean
  /** Such as "3 changes wait since 10:42"; null: nothing waits long enough to be worth a word. */
  readonly waiting: string | null
  /** Such as "1 change was refused". */
  readonly refused: string | null
}

interface Facts {
  /** The browser's `navigator.onLine`. */
  readonly online: boolean
  readonly sync: MetaRows['sync_state'] | undefined
  readonly changes: readonly ChangeView[]
  /** Milliseconds. */
  readonly now: number
}

const count = (n: number, one: string, many: string) => (n === 1 ? `1 change ${one}` : `${n} changes ${many}`)

/** Sentence of the sync line about the network and the mutations that wait for it. */
export function syncStatus({ online, sync, changes, now }: Facts): SyncStatus {
  const offline = !online || sync?.unreachable_since != null
  const failed = changes.filter((change) => change.state === 'failed').length
  const waiting = changes.filter((change) => change.state !== 'failed')
  const since = Math.min(...waiting.map((change) => change.since))
  const worthAWord = waiting.length > 0 && (offline || now - since > WORTH_A_WORD)
  return {
    offline,
    waiting: worthAWord ? `${count(waiting.length, 'waits', 'wait')} since ${formatMoment(since, now)}` : null,
    refused: failed > 0 ? count(failed, 'was refused', 'were refused') : null,
  }
}
