import { useSetAtom } from 'jotai'
import type { WidgetView } from '../../db/view'
import { showToastAtom } from '../../state/toasts'
import { useAccount } from './slices'

const TIER = 'Upgrade to manage multiple checkpoints'
const PENDING = 'Checkpoints can be managed once the pair is saved'

interface ManageLock {
  /** Why the checkpoints of this pair cannot be managed; null: they can. */
  readonly reason: string | null
  /** Says so: a tap shows no tooltip. */
  readonly explain: () => void
}

export function useManageLock(widget: WidgetView): ManageLock {
  const account = useAccount()
  const showToast = useSetAtom(showToastAtom)
  const reason = account !== 'premium' ? TIER : widget.isPending ? PENDING : null
  return {
    reason,
    explain: () => {
      if (reason !== null) showToast({ type: 'info', message: `${reason}.` })
    },
  }
}
