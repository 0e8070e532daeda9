import { useAtomValue, useSetAtom } from 'jotai'
import { CloudOff, RefreshCw, TriangleAlert } from 'lucide-react'
import { boardAtom, nowAtom, syncStateAtom } from '../../state/live-data'
import { updateOfferAtom } from '../../state/services'
import { openDialogAtom } from '../../state/open-dialogs'
import { useOnline } from '../../ui/browser-state'
import { syncStatus } from '../../domain/sync-status'
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
