import { useAtomValue } from 'jotai'
import { CloudOff, RefreshCw, TriangleAlert } from 'lucide-react'
import { boardAtom, nowAtom, syncStateAtom } from '../../state/live-data'
import { updateOfferAtom } from '../../state/offers'
import { useOnline } from '../../ui/use-online'
import styles from './sync-line.module.css'
import { syncStatus } from './sync-status'

/** One quiet line at the edge of the screen, there only while there is something to say. */
export function SyncLine({ onOpenChanges }: { readonly onOpenChanges: () => void }) {
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
            <button type="button" className={styles.action} onClick={onOpenChanges}>
              {waiting}
            </button>
          )}
          {refused !== null && (
            <button type="button" className={styles.action} onClick={onOpenChanges}>
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
