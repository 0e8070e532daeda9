import { BellRing } from 'lucide-react'
import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-ratio'
import { pairTitle } from '../../domain/pair'
import { usePairRatio } from '../../state/pair-ratio'
import { Button } from '../../ui/button'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { rearmAt } from './fired'
import { useRearm } from './use-rearm'

interface RearmButtonProps {
  readonly widget: WidgetView
  readonly side: AlertSide
  readonly threshold: number
  /** It goes with what it says: whoever had it in focus is led elsewhere. */
  readonly onRearm: () => void
}

/** Arms the side again: where it stands once the ratio is back, else a step further on. */
export function RearmButton({ widget, side, threshold, onRearm }: RearmButtonProps) {
  const at = rearmAt(side, threshold, usePairRatio(widget.coinA.id, widget.coinB.id))
  const rearm = useRearm(widget)
  if (at === null) return null
  const press = () => {
    onRearm()
    void rearm(side, at)
  }
  return (
    <Button size="sm" icon={<BellRing aria-hidden="true" />} onClick={press}>
      {at === threshold ? 'Re-arm' : `Re-arm at ${formatRatio(at)}`}
      <VisuallyHidden>{pairTitle(widget)}</VisuallyHidden>
    </Button>
  )
}
