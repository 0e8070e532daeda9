import { useAtomValue } from 'jotai'
import type { WidgetView } from '../../db/view'
import { pushStateAtom } from '../../state/push'
import { LinkButton } from '../../ui/button'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { nowAtom } from '../../state/live-data'
import { useUnjudged } from '../../state/stale-prices'
import { isJudged } from '../../state/watched-pairs'
import { useUpdateWidget } from '../../state/use-command'
import { useSnooze } from '../../state/use-snooze'
import { pairTitle } from '../../domain/pair'
import type { Snooze } from '../../domain/snooze'
import { snoozeSentence } from '../../domain/snooze-words'
import { deliveryText } from '../../domain/delivery-text'

interface SnoozeLineProps {
  readonly widget: WidgetView
  readonly snooze: Snooze
}

function SnoozeLine({ widget, snooze }: SnoozeLineProps) {
  const update = useUpdateWidget(widget)
  return (
    <>
      {snoozeSentence(snooze, useAtomValue(nowAtom))}:{' '}
      <LinkButton
        onClick={({ currentTarget }) => {
          // The button goes with its sentence.
          currentTarget.closest('article')?.querySelector<HTMLElement>('[role=switch]')?.focus()
          void update({ snooze: null })
        }}
      >
        resume<VisuallyHidden> alerts of {pairTitle(widget)}</VisuallyHidden>
      </LinkButton>
    </>
  )
}

interface DeliveryLineProps {
  readonly widget: WidgetView
  /** In the handler of the click itself: the browser may have to ask for permission. */
  readonly onSwitchOn: () => void
}

/** Says where the user hears of the pair's crossings. */
export function DeliveryLine({ widget, onSwitchOn }: DeliveryLineProps) {
  const push = useAtomValue(pushStateAtom)
  const snooze = useSnooze(widget)
  const unjudged = useUnjudged(widget)
  if (snooze !== null) return <SnoozeLine widget={widget} snooze={snooze} />
  if (unjudged !== null && isJudged(widget)) return unjudged
  const { text, offersAlerts } = deliveryText(widget, push === undefined ? undefined : push === 'on')
  return (
    <>
      {text}
      {offersAlerts && (
        <LinkButton
          onClick={({ currentTarget }) => {
            // The button goes with its sentence: the switch takes the focus, and says whether alerts are on.
            currentTarget.closest('article')?.querySelector<HTMLElement>('[role=switch]')?.focus()
            onSwitchOn()
          }}
        >
          switch alerts on
        </LinkButton>
      )}
    </>
  )
}
