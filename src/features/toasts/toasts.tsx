import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { dismissNotice, readNotices } from '../../db/queries/notices'
import { useServices } from '../../state/services'
import { dropToastAtom, localToastsAtom } from '../../state/toasts'
import { isStale, nextToast, noticeKey, type ToastSource, type ToastView } from './next-toast'
import { ToastTurn } from './toast-turn'

const NONE: ReadonlySet<string> = new Set()

const keyOf = (source: ToastSource) => (source.kind === 'local' ? source.id : noticeKey(source.id))

/** Everything the app has to say, one at a time: messages of this page and notices that the engine left. */
export function Toasts() {
  const { db, now } = useServices().commands
  const local = useAtomValue(localToastsAtom)
  const notices = useLiveQuery(() => readNotices(db), [db])
  const dropLocal = useSetAtom(dropToastAtom)
  const [shownKey, setShownKey] = useState<string | null>(null)
  // Taken off the screen at once, and for good even where the database does not let go of it.
  const [gone, setGone] = useState(NONE)

  const toast = nextToast(local, notices ?? [], shownKey, gone, now())
  const key = toast?.key ?? null
  if (key !== shownKey) setShownKey(key)

  // A success of another day, such as one that a closed browser left, goes unseen.
  useEffect(() => {
    for (const toast of local) if (toast.id !== key && isStale(toast, now())) dropLocal(toast.id)
    for (const notice of notices ?? []) {
      if (noticeKey(notice.id) === key || !isStale(notice, now())) continue
      dismissNotice(db, notice.id).catch((error: unknown) => reportError(error))
    }
  }, [db, local, dropLocal, notices, now, key])

  if (toast === null) return null
  const dismiss = ({ sources }: ToastView) => {
    setGone(new Set([...gone, ...sources.map(keyOf)]))
    for (const source of sources) {
      if (source.kind === 'local') dropLocal(source.id)
      else dismissNotice(db, source.id).catch((error: unknown) => reportError(error))
    }
  }
  return <ToastTurn key={toast.key} toast={toast} onDismiss={() => dismiss(toast)} />
}
