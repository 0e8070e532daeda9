import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { dismissNotice, readNotices } from '../../db/queries/notices'
import { useServices } from '../../state/services'
import { dropToastAtom, localToastsAtom } from '../../state/toasts'
import { nextToast, type ToastView } from './next-toast'
import { ToastTurn } from './toast-turn'

const NONE: ReadonlySet<string> = new Set()

/** Everything the app has to say, one at a time: messages of this page and notices that the engine left. */
export function Toasts() {
  const { db } = useServices().commands
  const local = useAtomValue(localToastsAtom)
  const notices = useLiveQuery(() => readNotices(db), [db])
  const dropLocal = useSetAtom(dropToastAtom)
  const [shownKey, setShownKey] = useState<string | null>(null)
  // Taken off the screen at once, and for good even where the database does not let go of it.
  const [gone, setGone] = useState(NONE)

  const toast = nextToast(local, notices ?? [], shownKey, gone)
  const key = toast?.key ?? null
  if (key !== shownKey) setShownKey(key)
  if (toast === null) return null

  const dismiss = ({ source }: ToastView) => {
    setGone(new Set([...gone, toast.key]))
    if (source.kind === 'local') dropLocal(source.id)
    else dismissNotice(db, source.id).catch((error: unknown) => reportError(error))
  }
  return <ToastTurn key={toast.key} toast={toast} onDismiss={() => dismiss(toast)} />
}
