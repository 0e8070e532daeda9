import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { dismissNotice, readNotices } from '../../db/queries/notices'
import { useServices } from '../../state/services'
import { dropToastAtom, localToastsAtom } from '../../state/toasts'
import { nextToast } from './next-toast'
import { ToastTurn } from './toast-turn'

/** Everything the app has to say, one at a time: messages of this page and notices that the engine left. */
export function Toasts() {
  const { db } = useServices().commands
  const local = useAtomValue(localToastsAtom)
  const notices = useLiveQuery(() => readNotices(db), [db])
  const dropLocal = useSetAtom(dropToastAtom)

  const toast = nextToast(local, notices ?? [])
  if (toast === null) return null

  const dismiss = () => {
    if (toast.source.kind === 'local') dropLocal(toast.source.id)
    else void dismissNotice(db, toast.source.id)
  }
  return <ToastTurn key={toast.key} toast={toast} onDismiss={dismiss} />
}
