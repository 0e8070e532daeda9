import { useSetAtom, useStore } from 'jotai'
import { useState } from 'react'
import { accountAtom } from '../../state/account'
import { showToastAtom } from '../../state/toasts'

/** Says something by a toast to the operator who asked, also where they look elsewhere by now, and to nobody after them. */
export function useTellOperator(): (type: 'success' | 'error', message: string) => void {
  const store = useStore()
  const showToast = useSetAtom(showToastAtom)
  const [owner] = useState(() => store.get(accountAtom)?.owner)
  return (type, message) => {
    if (store.get(accountAtom)?.owner === owner) showToast({ type, message })
  }
}
