import { useSetAtom } from 'jotai'
import { useState } from 'react'
import type { PushClient } from './push'
import { useServices } from './services'
import { showToastAtom } from './toasts'

/** Switches this device's notifications; a failure makes a toast. */
export function usePushSwitch() {
  const { push } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const [busy, setBusy] = useState(false)

  /** In the handler of the click itself: the browser may have to ask for permission. */
  const press = async (what: keyof PushClient): Promise<void> => {
    if (busy) return
    setBusy(true)
    const result = await push[what]()
    setBusy(false)
    if (!result.ok && result.message !== null) showToast({ kind: 'error', message: result.message })
  }
  return { busy, press }
}
