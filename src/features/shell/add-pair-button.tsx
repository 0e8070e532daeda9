import { useAtomValue, useSetAtom } from 'jotai'
import { Plus } from 'lucide-react'
import { checkRoomForPair } from '../../domain/pair'
import { showLimitAtom } from '../../state/account'
import { boardAtom } from '../../state/live-data'
import { openOverlayAtom } from '../../state/overlays'
import { Tooltip } from '../../ui/tooltip'

interface AddPairButtonProps {
  readonly className: string | undefined
  readonly tooltipSide: 'above' | 'below'
  readonly onOpen?: (() => void) | undefined
}

/** Opens "Create New Pair". At the tier's limit it can be focused but not used, and says why. */
export function AddPairButton({ className, tooltipSide, onOpen }: AddPairButtonProps) {
  const board = useAtomValue(boardAtom)
  const openOverlay = useSetAtom(openOverlayAtom)
  const showLimit = useSetAtom(showLimitAtom)
  const refusal = board === undefined ? null : checkRoomForPair(board.widgets.length, board.limits)

  const content = (
    <>
      <Plus aria-hidden="true" />
      Add Pair
    </>
  )
  if (refusal === null) {
    const add = () => {
      onOpen?.()
      openOverlay({ kind: 'add-pair' })
    }
    return (
      <button type="button" className={className} onClick={add}>
        {content}
      </button>
    )
  }
  return (
    <Tooltip text={refusal} side={tooltipSide}>
      {(describedBy) => (
        <button
          type="button"
          className={className}
          aria-disabled="true"
          aria-describedby={describedBy}
          onClick={() => showLimit(refusal)}
        >
          {content}
        </button>
      )}
    </Tooltip>
  )
}
