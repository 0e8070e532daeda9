import { useSetAtom } from 'jotai'
import type { WidgetView } from '../../db/view'
import { LISTS_NEED_PREMIUM } from '../../domain/pair-words'
import { showLimitAtom } from '../../state/limit-toast'
import { showToastAtom } from '../../state/toasts'
import { useAccount } from './slices'

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
  const showLimit = useSetAtom(showLimitAtom)
  const reason = account !== 'premium' ? LISTS_NEED_PREMIUM : widget.isPending ? PENDING : null
  return {
    reason,
    explain: () => {
      if (reason === LISTS_NEED_PREMIUM) showLimit(`${reason}.`)
      else if (reason !== null) showToast({ type: 'info', message: `${reason}.` })
    },
  }
}
